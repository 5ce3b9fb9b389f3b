-- 2: requests to endpoints, reflections, calibration fits and estimates.
CREATE TABLE raw.endpoint (
    endpoint_id VARCHAR NOT NULL,
    base_url VARCHAR NOT NULL,
    api VARCHAR NOT NULL,
    served_lm VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (endpoint_id)
);

CREATE TABLE raw.endpoint_capability (
    capability_id VARCHAR NOT NULL,
    endpoint_id VARCHAR NOT NULL,
    capability VARCHAR NOT NULL,
    supported BOOLEAN,
    detail VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (capability_id)
);

CREATE TABLE raw.generation_request (
    generation_id VARCHAR NOT NULL,
    template VARCHAR NOT NULL,
    template_key VARCHAR NOT NULL,
    prompt_key VARCHAR NOT NULL,
    endpoint_id VARCHAR,
    n_attempts INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (generation_id)
);

CREATE TABLE raw.generation_issue (
    issue_id VARCHAR NOT NULL,
    generation_id VARCHAR NOT NULL,
    lm_id VARCHAR NOT NULL,
    setting_id VARCHAR NOT NULL,
    problem_id VARCHAR NOT NULL,
    sample_index INTEGER NOT NULL,
    code VARCHAR NOT NULL,
    detail VARCHAR NOT NULL,
    lost BOOLEAN NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (issue_id)
);

CREATE TABLE raw.reflection_reading (
    reading_id VARCHAR NOT NULL,
    generation_id VARCHAR NOT NULL,
    reader VARCHAR NOT NULL,
    value DOUBLE,
    rule VARCHAR,
    null_reason VARCHAR,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (reading_id)
);

CREATE TABLE raw.calibration_fit (
    fit_id VARCHAR NOT NULL,
    subject_key VARCHAR NOT NULL,
    input_key VARCHAR NOT NULL,
    rescaler VARCHAR NOT NULL,
    fold_seed INTEGER,
    fold INTEGER,
    slope DOUBLE,
    intercept DOUBLE,
    steps_x DOUBLE PRECISION[],
    steps_y DOUBLE PRECISION[],
    n_train INTEGER NOT NULL,
    n_positive INTEGER NOT NULL,
    flag VARCHAR,
    null_reason VARCHAR,
    library VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (fit_id)
);

CREATE TABLE raw.calibration_fold (
    fold_id VARCHAR NOT NULL,
    split_key VARCHAR NOT NULL,
    problem_id VARCHAR NOT NULL,
    folds INTEGER[] NOT NULL,
    library VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (fold_id)
);

CREATE TABLE raw.kfold_order (
    order_id VARCHAR NOT NULL,
    n_rows INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    folds INTEGER[] NOT NULL,
    library VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (order_id)
);

CREATE TABLE raw.estimate (
    estimate_id VARCHAR NOT NULL,
    subject_key VARCHAR NOT NULL,
    input_key VARCHAR NOT NULL,
    rescaler VARCHAR NOT NULL,
    statistic VARCHAR NOT NULL,
    value DOUBLE,
    low DOUBLE,
    high DOUBLE,
    null_reason VARCHAR,
    n_replicates INTEGER,
    n_dropped INTEGER,
    seed INTEGER,
    method VARCHAR NOT NULL,
    library VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (estimate_id)
);
