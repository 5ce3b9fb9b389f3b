{{ line_completion(2) }}
