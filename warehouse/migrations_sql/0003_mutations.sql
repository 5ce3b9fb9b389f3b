-- 3: counterfactual pairs.
CREATE TABLE raw.mutation_scan (
    scan_id VARCHAR NOT NULL,
    problem_id VARCHAR NOT NULL,
    mutation VARCHAR NOT NULL,
    mutation_version INTEGER NOT NULL,
    in_paper BOOLEAN NOT NULL,
    n_sites INTEGER NOT NULL,
    n_declined INTEGER NOT NULL,
    unreadable_code VARCHAR,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (scan_id)
);

CREATE TABLE raw.mutation_site (
    site_id VARCHAR NOT NULL,
    scan_id VARCHAR NOT NULL,
    problem_id VARCHAR NOT NULL,
    site_index INTEGER NOT NULL,
    line INTEGER,
    operators VARCHAR NOT NULL,
    decline_code VARCHAR,
    decline_reason VARCHAR,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (site_id)
);

CREATE TABLE raw.mutant (
    mutant_id VARCHAR NOT NULL,
    site_id VARCHAR NOT NULL,
    problem_id VARCHAR NOT NULL,
    mutation VARCHAR NOT NULL,
    mutation_version INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    original_candidate_id VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    names VARCHAR NOT NULL,
    undo VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (mutant_id)
);

CREATE TABLE raw.mutation_pair (
    pair_id VARCHAR NOT NULL,
    mutant_id VARCHAR NOT NULL,
    problem_id VARCHAR NOT NULL,
    edition INTEGER NOT NULL,
    original_variant_id VARCHAR,
    mutated_variant_id VARCHAR,
    decline_code VARCHAR,
    decline_reason VARCHAR,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (pair_id)
);
