"""What a card says of where conversations come from: written by models or brought in, judged or not. Pure."""

from convo_gateway.shapes.export_manifest import FolderManifest

GENERATED = ("synthetic", "conversational", "convo")
"""Tags of what was generated."""
_CHECKED = "filtered by rules and near-duplicate checks"


def brought_in(manifest: FolderManifest) -> int:
    """Conversations in the rows that no run here made."""
    rows = manifest.counts.runs
    return sum(rows.get(run.run, 0) for run in manifest.runs if run.mode == "import")


def has_imports(manifest: FolderManifest) -> bool:
    """Whether one of its runs read what was made elsewhere."""
    return any(run.mode == "import" for run in manifest.runs)


def has_generated(manifest: FolderManifest) -> bool:
    """Whether something in it was written by a model here, or would have been."""
    return not manifest.runs or any(run.mode != "import" for run in manifest.runs)


def tags(manifest: FolderManifest) -> list[str]:
    """Tags of the card; ``synthetic`` only where something was generated."""
    return [tag for tag in GENERATED if tag != "synthetic" or has_generated(manifest)]


def story(manifest: FolderManifest) -> str:
    """How the conversations came about, in sentences."""
    how = _looked_at(manifest)
    if not has_imports(manifest):
        return f"The conversations are synthetic: written by language models, {how}."
    if not has_generated(manifest):
        return (
            "The conversations were made elsewhere and brought in from the files above; who or what wrote them is not "
            f"known here. They were {how}."
        )
    read = brought_in(manifest)
    return (
        f"{manifest.counts.conversations - read:,} of the conversations are synthetic, written by language models; "
        f"{read:,} were made elsewhere and brought in from the files above, and who or what wrote them is not known "
        f"here. All were {how}."
    )


def _looked_at(manifest: FolderManifest) -> str:
    judged = {run.judged for run in manifest.runs} or {True}
    if judged == {True}:
        return f"{_CHECKED}, and scored by a model as judge"
    if judged == {False}:
        return f"{_CHECKED}; no model judged them"
    return f"{_CHECKED}, and scored by a model as judge where their run has one"
