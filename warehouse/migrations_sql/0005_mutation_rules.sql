-- 5: which analyses searched a reference; what was searched before this counts as the first.
ALTER TABLE raw.mutation_scan ADD COLUMN rules INTEGER DEFAULT 1;
ALTER TABLE raw.mutation_scan ALTER COLUMN rules SET NOT NULL;
ALTER TABLE raw.mutation_scan ALTER COLUMN rules DROP DEFAULT;
