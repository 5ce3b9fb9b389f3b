"""Few-shot chain of thought: three worked examples, and reasoning before the program.

There is one example for each difficulty of APPS. Chon et al. (arXiv 2408.14504) chose theirs at
random and did not publish them. Ours were written for Assay, are part of the templates, and never
change.
"""

from runners.tasks.strategies.base import Strategy

FEW_SHOT_COT = Strategy("synthesis_chat_few_shot_cot_v1", "synthesis_program_chat_few_shot_cot_v1")
