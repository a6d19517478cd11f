"""Imports: a file is sent, its refused rows are read, and a run cleans what was taken."""

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path

import aiohttp
import pytest
from playwright.sync_api import Page, expect

from convo_events.catalog import CatalogObject
from convo_gateway.catalog.documents import kind_of
from convo_gateway.catalog.starter import starter_objects
from tests.browser.axe import violations, violations_in_both_themes
from tests.browser.conftest import OpenPage
from tests.browser.reading import choose_by_key, counter, flip, section, until_it_fits, until_told
from tests.browser.site import Site
from tests.fake_provider.draw import Draw
from tests.fake_provider.replies import passage
from tests.gateway.serving import eventually

Picture = Callable[[Page, str], None]
GOOD = 12
STARTER = {
    "clean-import",
    "imported-chats",
    "assistant-cliches",
    "stage-words",
    "unsafe-contacts",
}


@pytest.fixture(scope="module")
def config(site: Site) -> str:
    """The config of the starter catalog that cleans imports, with what it names."""
    for item in starter_objects():
        if item.name in STARTER:
            assert isinstance(item, CatalogObject)
            site.send("POST", f"/api/v1/{kind_of(item)}", item.model_dump(mode="json"))
    return "clean-import"


@pytest.fixture
def only_config(site: Site, config: str) -> str:
    """The same, when there is no other one of its mode."""
    for item in site.send("GET", "/api/v1/run-configs?limit=1000")["items"]:
        if item["headline"]["mode"] == "import" and item["name"] != config:
            site.send("POST", f"/api/v1/run-configs/{item['name']}/archive")
    return config


def said(seed: str, number: int) -> list[str]:
    """Four turns that no other number has, and in which nobody claims a life."""
    drawn = (Draw(f"{seed}.{number}.{turn}".encode()) for turn in range(4))
    return [passage(one, 25).replace("I ", "They ") for one in drawn]


def row(turns: list[str]) -> str:
    roles = ("user", "assistant", "user", "assistant")
    messages = [{"role": r, "content": t} for r, t in zip(roles, turns, strict=True)]
    return json.dumps({"messages": messages})


def a_file(folder: Path, name: str, seed: str) -> Path:
    """Twelve sound rows, two near copies, a stage direction, and five rows that are no conversations."""
    first, second = said(seed, 0), said(seed, 1)
    tool = {"messages": [{"role": "user", "content": "Hi"}, {"role": "tool", "content": "{}"}]}
    lines = [
        *(row(said(seed, n)) for n in range(GOOD)),
        row([*first[:3], f"{first[3]} Well, then."]),
        row([*second[:3], f"{second[3]} Well, then."]),
        row([*said(seed, 99)[:3], f"*smiles warmly* {said(seed, 99)[3]}"]),
        row(first),
        '{"messages": [',
        json.dumps({"messages": [{"role": "user", "content": None}]}),
        json.dumps(tool),
        json.dumps({"text": "<b>no</b> conversation"}),
    ]
    path = folder / name
    path.write_text("\n".join(lines))
    return path


def choose(page: Page, *files: Path) -> None:
    """Choose files as a person does."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose files").click()
    chooser.value.set_files(files)


def arrived(page: Page, name: str) -> str:
    """The id of the import on whose page one is, when it is read."""
    expect(page).to_have_url(re.compile("/imports/imp-"))
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.locator('.page-title [data-status="ready"]')).to_be_visible()
    return page.url.rsplit("/", 1)[1]


def sent(site: Site, file: Path) -> str:
    """An import that is ready, brought in without a page."""
    return site.loop.run(_sent(f"{site.url}/api/v1/imports", file))


async def _sent(at: str, file: Path) -> str:
    headers = {"Content-Type": "application/octet-stream"}
    content = await asyncio.to_thread(file.read_bytes)
    async with aiohttp.ClientSession() as session:
        async with session.post(f"{at}?name={file.name}", data=content, headers=headers) as reply:
            source = str((await reply.json())["id"])

        async def is_ready() -> bool:
            async with session.get(f"{at}/{source}") as reply:
                return bool((await reply.json())["status"] == "ready")

        await eventually(is_ready)
    return source


def test_a_file_is_cleaned_by_mouse(
    site: Site, only_config: str, open_page: OpenPage, picture: Picture, tmp_path: Path
) -> None:
    page = open_page(f"{site.url}/corpus")
    page.locator(".page-title").get_by_role("link", name="Import").click()
    expect(page).to_have_title("Imports - convo")
    choose(page, a_file(tmp_path, "old <chats>.jsonl", "mouse"))
    source = arrived(page, "old <chats>.jsonl")
    expect(counter(page, "Rows read")).to_have_text("20")
    expect(counter(page, "Taken")).to_have_text(re.compile("^15of 20 rows"))
    reasons = section(page, "Reasons")
    for code in ("duplicate", "not_json", "no_text", "tool_call", "not_a_conversation"):
        expect(reasons.get_by_role("row", name=re.compile(f"^{code} .* 1 20"))).to_be_visible()
    refused = section(page, "Refused rows")
    expect(refused.get_by_role("row")).to_have_count(6)
    expect(refused.get_by_role("row", name=re.compile("^18 no_text .messages.0"))).to_be_visible()
    expect(refused).to_contain_text("says exactly what row 1 says")
    expect(refused).to_contain_text("All 5 refused rows")
    picture(page, "import")

    page.get_by_role("link", name="Clean it with a run").click()
    expect(page.get_by_role("combobox", name="Run config")).to_have_value(only_config)
    expect(page.get_by_role("combobox", name="Import")).to_have_value("old <chats>.jsonl")
    expect(page.get_by_text("All 15 conversations")).to_be_visible()
    estimate = section(page, "Estimate")
    expect(estimate).to_have_attribute("aria-busy", "false")
    expect(estimate.get_by_test_id("total")).to_have_text("$0.00")
    expect(page.get_by_role("link", name="Preview")).to_have_count(0)
    picture(page, "start-import")
    page.get_by_role("button", name="Start run").click()

    expect(page.locator('.page-title [data-status="completed"]')).to_be_visible()
    told = page.locator(".taken-from")
    expect(told).to_contain_text("All 15 conversations of old <chats>.jsonl")
    expect(counter(page, "Accepted")).to_have_text(str(GOOD))
    expect(counter(page, "Rejected")).to_have_text("3")
    found = section(page, "Reject reasons")
    expect(found.get_by_role("row", name=re.compile("near_duplicate.* 2 "))).to_be_visible()
    expect(found.get_by_role("row", name=re.compile("stage_direction.* 1 "))).to_be_visible()
    expect(section(page, "Pipeline").get_by_role("rowheader", name="Read")).to_be_visible()
    expect(page.get_by_text("Generated", exact=True)).to_have_count(0)
    picture(page, "run-import")
    run = page.url.rsplit("/", 1)[1]
    costs = site.loop.run(site.pipeline.all("select role from run_cost where run = $1", run))
    assert costs == [], "no model was asked"

    told.get_by_role("link").click()
    expect(page).to_have_url(f"{site.url}/imports/{source}")
    page.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog", name=re.compile("Delete the import"))
    dialog.get_by_role("button", name="Delete import").click()
    expect(page).to_have_url(f"{site.url}/imports")
    expect(page.locator(f'a[href="/imports/{source}"]')).to_have_count(0)


def test_the_main_path_by_keyboard_alone(
    site: Site, config: str, open_page: OpenPage, tmp_path: Path
) -> None:
    page = open_page(f"{site.url}/runs")
    keys = page.keyboard
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    keys.press("g")
    keys.press("i")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page).to_have_title("Imports - convo")
    keys.press("Tab")
    expect(page.get_by_role("button", name="Choose files")).to_be_focused()
    with page.expect_file_chooser() as chooser:
        keys.press("Enter")
    chooser.value.set_files(a_file(tmp_path, "by-keys.jsonl", "keys"))
    arrived(page, "by-keys.jsonl")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    keys.press("Tab")
    expect(page.get_by_role("link", name="Clean it with a run")).to_be_focused()
    keys.press("Enter")
    field = page.get_by_role("combobox", name="Run config")
    expect(field).to_be_focused()
    expect(page.get_by_role("combobox", name="Import")).to_have_value("by-keys.jsonl")
    keys.press("Control+a")
    keys.type(config[:-2])
    option = page.locator(".mantine-Select-option:visible")
    expect(option).to_have_text(re.compile(config))
    choose_by_key(page, option)
    expect(field).to_have_value(config)
    expect(section(page, "Estimate")).to_have_attribute("aria-busy", "false")
    page.get_by_label("Name (optional)").focus()
    keys.type("cleaned by keys")
    keys.press("Enter")
    expect(page).to_have_title("cleaned by keys - convo")
    expect(page.locator('.page-title [data-status="completed"]')).to_be_visible()
    expect(counter(page, "Accepted")).to_have_text(str(GOOD))


def test_what_is_on_its_way_can_be_stopped_and_what_is_there_is_known(
    site: Site, open_page: OpenPage, tmp_path: Path
) -> None:
    file = a_file(tmp_path, "twice.jsonl", "twice")
    page = open_page(f"{site.url}/imports", quiet=False)
    page.route("**/api/v1/imports?name=*", lambda route: None)
    choose(page, file, a_file(tmp_path, "next.jsonl", "next"))
    uploads = page.get_by_role("list", name="Files that are sent")
    bar = uploads.get_by_role("progressbar", name="Sent of twice.jsonl")
    expect(bar).to_have_attribute("aria-valuenow", "0")
    expect(uploads).to_contain_text("Waiting")
    uploads.get_by_role("button", name="Cancel sending next.jsonl").click()
    uploads.get_by_role("button", name="Cancel sending twice.jsonl").click()
    expect(uploads).to_have_count(0)

    page.unroute_all()
    page.route("**/api/v1/imports?name=*", lambda route: route.abort())
    choose(page, file)
    expect(uploads.get_by_role("alert")).to_contain_text("cannot be reached")
    uploads.get_by_role("button", name="Dismiss").click()
    expect(uploads).to_have_count(0)

    page.unroute_all()
    choose(page, file)
    source = arrived(page, "twice.jsonl")
    again = tmp_path / "renamed.jsonl"
    again.write_bytes(file.read_bytes())
    page.goto(f"{site.url}/imports")
    choose(page, again)
    until_told(page, "The same bytes are here already, as twice.jsonl")
    expect(page).to_have_url(f"{site.url}/imports/{source}")


def test_a_file_that_is_broken_says_why(site: Site, open_page: OpenPage, tmp_path: Path) -> None:
    file = tmp_path / "broken.parquet"
    file.write_bytes(b"PAR1 and then nothing of it")
    page = open_page(f"{site.url}/imports")
    choose(page, file)
    expect(page.locator('.page-title [data-status="broken"]')).to_be_visible()
    expect(page.get_by_text("Nothing of it can be used")).to_be_visible()
    expect(page.get_by_role("link", name="Clean it with a run")).to_have_count(0)


def test_what_a_run_takes_cannot_be_deleted(
    site: Site, config: str, open_page: OpenPage, tmp_path: Path
) -> None:
    source = sent(site, a_file(tmp_path, "taken.jsonl", "taken"))
    body = site.send("GET", f"/api/v1/run-configs/{config}")["body"]
    judge = {"criteria": [{"name": "natural", "question": "Is it natural?"}], "threshold": 2}
    roles = {"judge": {"backend": "night", "model": "judge", "max_tokens": 200}}
    judged = {**body, "name": "clean-by-night", "judge": judge, "roles": roles}
    site.send("POST", "/api/v1/run-configs", judged)
    wish = {"config": "clean-by-night", "import_source": source, "start": "off_peak"}
    run = site.send("POST", "/api/v1/runs", wish)["id"]
    site.until(run, "queued")
    page = open_page(f"{site.url}/imports/{source}", quiet=False)
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete import").click()
    until_told(page, f"run {run} takes its conversations")
    expect(page).to_have_url(f"{site.url}/imports/{source}")


def test_a_config_of_mode_import(site: Site, config: str, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/catalog/run-configs/new?from=fake-config")
    page.get_by_label("Name", exact=True).fill("clean-and-judge")
    problems = page.get_by_role("region", name="Problems")
    expect(problems).to_contain_text("Nothing to fix")
    page.get_by_label("Weight of ana").fill("7")
    page.get_by_label("Target count").fill("321")
    page.get_by_role("radio", name="import").check()
    for gone in ("Length mix", "Roughen", "Memory"):
        expect(page.get_by_role("heading", name=gone, exact=True)).to_have_count(0)
    expect(page.get_by_role("group", name="Personas")).to_have_count(0)
    expect(page.get_by_role("group", name=re.compile("^user "))).to_have_count(0)
    expect(page.get_by_role("group", name=re.compile("^judge "))).to_be_visible()
    expect(page.get_by_role("button", name="Save and preview")).to_have_count(0)
    expect(problems).to_have_attribute("aria-busy", "false")
    expect(problems).to_contain_text("Nothing to fix")
    expect(section(page, "Estimate")).to_contain_text("for each conversation")

    page.get_by_role("radio", name="dialogue").check()
    expect(page.get_by_label("Weight of ana")).to_have_value("7")
    expect(page.get_by_label("Target count")).to_have_value("321")
    page.get_by_role("radio", name="import").check()
    flip(page.get_by_role("switch", name="Judge"))
    expect(section(page, "Estimate")).to_contain_text("costs nothing")
    page.get_by_role("button", name="Save run config").click()
    expect(page).to_have_url(f"{site.url}/catalog/run-configs/clean-and-judge")
    expect(page.get_by_text("No model is asked, so a run costs nothing.")).to_be_visible()
    expect(page.get_by_role("link", name="Seed preview")).to_have_count(0)
    body = site.send("GET", "/api/v1/run-configs/clean-and-judge")["body"]
    assert (body["mode"], body["target_count"]) == ("import", 321)
    for part in ("personas", "voices", "pools", "length_mix", "memory", "roughen"):
        assert not body.get(part), part
    assert not any(body["roles"].values())


def test_without_a_config_it_says_how_to_make_one(
    site: Site, open_page: OpenPage, tmp_path: Path
) -> None:
    source = sent(site, a_file(tmp_path, "no-config.jsonl", "no config"))
    page = open_page("about:blank")
    page.route(
        "**/api/v1/run-configs?*",
        lambda route: route.fulfill(json={"items": [], "next_cursor": None}),
    )
    page.goto(f"{site.url}/imports/{source}")
    page.get_by_role("link", name="Clean it with a run").click()
    expect(page.get_by_text("There is no run config of mode import yet")).to_be_visible()
    page.get_by_role("link", name="Make one").click()
    expect(page.get_by_role("radio", name="import")).to_be_checked()
    expect(page.get_by_role("region", name="Problems")).to_contain_text("2 problems to fix")


def test_everybody_can_read_it(
    site: Site, config: str, open_page: OpenPage, picture: Picture, tmp_path: Path
) -> None:
    source = sent(site, a_file(tmp_path, f"looked-at-{'x' * 120}.jsonl", "looked at"))
    wish = {"config": config, "import_source": source, "name": "cleaned"}
    run = site.send("POST", "/api/v1/runs", wish)["id"]
    site.until(run, "completed")
    page = open_page(f"{site.url}/imports")
    found: dict[str, list[str]] = {}
    for name, path, shown in (
        ("imports", "/imports", ".grid-row"),
        ("import", f"/imports/{source}", ".import-message"),
        ("import-start", f"/runs?form=open&of={config}&import={source}", ".estimate-head"),
        ("import-run", f"/runs/{run}", ".taken-from"),
    ):
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(site.url + path)
        expect(page.locator(shown).first).to_be_visible()
        found[name] = violations_in_both_themes(page)
        picture(page, name)
        page.set_viewport_size({"width": 320, "height": 900})
        until_it_fits(page, 320)
        found[f"{name}, narrow"] = violations(page)
        picture(page, f"{name}-narrow")
    page.route("**/api/v1/imports?*", lambda r: r.fulfill(json={"items": [], "next_cursor": None}))
    page.goto(f"{site.url}/imports")
    expect(page.get_by_text("No imports yet")).to_be_visible()
    found["none"] = violations(page)
    assert {name: said for name, said in found.items() if said} == {}
