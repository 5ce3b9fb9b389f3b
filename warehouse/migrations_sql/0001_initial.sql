-- 1: the raw tables of the first release.
create schema if not exists raw;
create schema if not exists meta;

create table meta.schema_version (
    version INTEGER NOT NULL,
    applied_at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (version)
);

CREATE TABLE raw.run (
    run_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    started_at TIMESTAMP WITH TIME ZONE NOT NULL,
    code_version VARCHAR NOT NULL,
    git_commit VARCHAR,
    git_dirty BOOLEAN,
    settings VARCHAR NOT NULL,
    inputs VARCHAR NOT NULL,
    host VARCHAR NOT NULL,
    PRIMARY KEY (run_id)
);

CREATE TABLE raw.run_finish (
    run_id VARCHAR NOT NULL,
    finished_at TIMESTAMP WITH TIME ZONE NOT NULL,
    status VARCHAR NOT NULL,
    summary VARCHAR NOT NULL,
    PRIMARY KEY (run_id)
);

CREATE TABLE raw.gate_result (
    gate_result_id VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    table_name VARCHAR NOT NULL,
    expectation VARCHAR NOT NULL,
    column_name VARCHAR,
    success BOOLEAN NOT NULL,
    n_rows INTEGER NOT NULL,
    n_unexpected INTEGER,
    checked_at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (gate_result_id)
);

CREATE TABLE raw.gate_reject (
    gate_reject_id VARCHAR NOT NULL,
    gate_result_id VARCHAR NOT NULL,
    row_number INTEGER NOT NULL,
    row_json VARCHAR NOT NULL,
    PRIMARY KEY (gate_reject_id)
);

CREATE TABLE raw.dataset_release (
    release_id VARCHAR NOT NULL,
    dataset VARCHAR NOT NULL,
    version VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    license VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    n_problems INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (release_id)
);

CREATE TABLE raw.problem (
    problem_id VARCHAR NOT NULL,
    release_id VARCHAR NOT NULL,
    dataset VARCHAR NOT NULL,
    task_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    entry_point VARCHAR NOT NULL,
    prompt VARCHAR NOT NULL,
    reference VARCHAR NOT NULL,
    suffix VARCHAR NOT NULL,
    setup_code VARCHAR NOT NULL,
    test_code VARCHAR,
    compare VARCHAR NOT NULL,
    atol DOUBLE NOT NULL,
    difficulty VARCHAR,
    tags VARCHAR NOT NULL,
    tests_key VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (problem_id)
);

CREATE TABLE raw.test (
    test_id VARCHAR NOT NULL,
    problem_id VARCHAR NOT NULL,
    test_index INTEGER NOT NULL,
    suite VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    body VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (test_id)
);

CREATE TABLE raw.variant (
    variant_id VARCHAR NOT NULL,
    problem_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    parent_variant_id VARCHAR,
    prompt VARCHAR NOT NULL,
    seed INTEGER,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (variant_id)
);

CREATE TABLE raw.language_model (
    lm_id VARCHAR NOT NULL,
    lm VARCHAR NOT NULL,
    revision VARCHAR NOT NULL,
    simulated BOOLEAN NOT NULL,
    n_parameters BIGINT,
    planted VARCHAR,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (lm_id)
);

CREATE TABLE raw.setting (
    setting_id VARCHAR NOT NULL,
    task VARCHAR NOT NULL,
    style VARCHAR NOT NULL,
    prompt_kind VARCHAR NOT NULL,
    temperature DOUBLE,
    top_p DOUBLE,
    max_tokens INTEGER,
    stop VARCHAR NOT NULL,
    seed INTEGER,
    resampled BOOLEAN NOT NULL,
    label VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (setting_id)
);

CREATE TABLE raw.generation (
    generation_id VARCHAR NOT NULL,
    lm_id VARCHAR NOT NULL,
    problem_id VARCHAR NOT NULL,
    variant_id VARCHAR NOT NULL,
    setting_id VARCHAR NOT NULL,
    sample_index INTEGER NOT NULL,
    parent_generation_id VARCHAR,
    source VARCHAR NOT NULL,
    text_key VARCHAR NOT NULL,
    finish_reason VARCHAR,
    n_prompt_tokens INTEGER,
    n_completion_tokens INTEGER,
    latency_s DOUBLE,
    cost_usd DOUBLE,
    claimed_pass BOOLEAN,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (generation_id)
);

CREATE TABLE raw.generation_text (
    generation_id VARCHAR NOT NULL,
    raw_text VARCHAR NOT NULL,
    kept_text VARCHAR NOT NULL,
    kept_rule VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (generation_id)
);

CREATE TABLE raw.token_logprob (
    generation_id VARCHAR NOT NULL,
    tokens VARCHAR[] NOT NULL,
    logprobs DOUBLE PRECISION[] NOT NULL,
    kept BOOLEAN[] NOT NULL,
    top_logprobs VARCHAR,
    cumulative_logprob DOUBLE,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (generation_id)
);

CREATE TABLE raw.candidate (
    candidate_id VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    parses BOOLEAN NOT NULL,
    n_characters INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (candidate_id)
);

CREATE TABLE raw.admission (
    admission_id VARCHAR NOT NULL,
    problem_id VARCHAR NOT NULL,
    policy VARCHAR NOT NULL,
    mode VARCHAR NOT NULL,
    reason VARCHAR,
    reference_cpu_s DOUBLE,
    cpu_limit_s DOUBLE NOT NULL,
    wall_limit_s DOUBLE NOT NULL,
    memory_limit_mb INTEGER NOT NULL,
    outputs VARCHAR,
    judge_version VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (admission_id)
);

CREATE TABLE raw.program (
    program_id VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    problem_id VARCHAR NOT NULL,
    admission_id VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (program_id)
);

CREATE TABLE raw.evaluation (
    evaluation_id VARCHAR NOT NULL,
    generation_id VARCHAR NOT NULL,
    problem_id VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    program_id VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (evaluation_id)
);

CREATE TABLE raw.outcome (
    program_id VARCHAR NOT NULL,
    attempt INTEGER NOT NULL,
    verdict VARCHAR NOT NULL,
    n_tests INTEGER NOT NULL,
    n_passed INTEGER NOT NULL,
    cpu_s DOUBLE,
    wall_s DOUBLE,
    max_rss_kb INTEGER,
    why_ended VARCHAR NOT NULL,
    message VARCHAR,
    isolation VARCHAR NOT NULL,
    integrity VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (program_id, attempt)
);

CREATE TABLE raw.test_outcome (
    program_id VARCHAR NOT NULL,
    attempt INTEGER NOT NULL,
    test_index INTEGER NOT NULL,
    status VARCHAR NOT NULL,
    message VARCHAR,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (program_id, attempt, test_index)
);

CREATE TABLE raw.canary (
    canary_id VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    problem_id VARCHAR NOT NULL,
    verdict VARCHAR NOT NULL,
    cpu_s DOUBLE,
    message VARCHAR,
    PRIMARY KEY (canary_id)
);

CREATE TABLE raw.pair_similarity (
    pair_id VARCHAR NOT NULL,
    candidate_a VARCHAR NOT NULL,
    candidate_b VARCHAR NOT NULL,
    measure VARCHAR NOT NULL,
    n_shared INTEGER NOT NULL,
    n_tokens_a INTEGER NOT NULL,
    n_tokens_b INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (pair_id)
);
