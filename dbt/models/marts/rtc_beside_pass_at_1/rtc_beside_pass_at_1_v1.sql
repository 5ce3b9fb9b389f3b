{{ rtc_beside_pass_at_1(1) }}
