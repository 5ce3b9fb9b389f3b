{{ roc_points(1) }}
