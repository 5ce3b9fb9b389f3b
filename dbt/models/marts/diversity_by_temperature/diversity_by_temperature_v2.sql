{{ diversity_by_temperature(version=2) }}
