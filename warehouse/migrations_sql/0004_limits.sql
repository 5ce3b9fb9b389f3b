-- 4: limits per test, attempts alone, and what longer limits would bring.
ALTER TABLE raw.admission ADD COLUMN test_cpu_limit_s DOUBLE;
ALTER TABLE raw.admission ADD COLUMN reference_test_cpu_s DOUBLE;
ALTER TABLE raw.outcome ADD COLUMN test_cpu_s DOUBLE;
ALTER TABLE raw.outcome ADD COLUMN alone BOOLEAN;

CREATE TABLE raw.limit_trial (
    program_id VARCHAR NOT NULL,
    factor DOUBLE NOT NULL,
    verdict VARCHAR NOT NULL,
    n_tests INTEGER NOT NULL,
    n_passed INTEGER NOT NULL,
    cpu_s DOUBLE,
    test_cpu_s DOUBLE,
    wall_s DOUBLE,
    why_ended VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (program_id, factor)
);
