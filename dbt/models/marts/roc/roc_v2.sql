{{ roc_points(2) }}
