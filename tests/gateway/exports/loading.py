"""Folders as the library `datasets` loads them, in a process that may not reach the network."""

import json
import os
import subprocess
import sys
from pathlib import Path

LOAD = """
import json, sys
from datasets import Features, load_dataset
front = json.loads(sys.argv[2])
found = load_dataset(sys.argv[1])
told = Features._from_yaml_list(front["dataset_info"]["features"])
print(json.dumps({
    name: {"rows": len(split), "told": split.features == told, "first": split[0]["messages"] if len(split) else None}
    for name, split in found.items()
}))
"""


def load_with_datasets(folder: Path, front: object, cache: Path) -> dict[str, dict[str, object]]:
    """What `datasets` makes of a folder, in a process that may not reach the network."""
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(cache),
        "HF_HOME": str(cache),
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
    }
    command = [sys.executable, "-c", LOAD, str(folder), json.dumps(front)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])  # type: ignore[no-any-return]
