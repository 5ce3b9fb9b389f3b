"""What `assay generate` can ask: one module per task, loaded when it is named."""

TASKS = {
    "synthesis": "runners.tasks.synthesis:Synthesis",
    "repair": "runners.tasks.repair:Repair",
    "counterfactual": "runners.tasks.counterfactual:Counterfactual",
}
