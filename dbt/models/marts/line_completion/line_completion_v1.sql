{{ line_completion(1) }}
