"""Vanilla: a chat is asked for the program and nothing else, in one request.

A language model that continues text gets the prompt of the problem as it is, which counts as the
same strategy.
"""

from runners.tasks.strategies.base import Strategy

VANILLA = Strategy("synthesis_chat_v1", "synthesis_program_chat_v1", takes_bare_prompt=True)
