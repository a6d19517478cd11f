"""Judges with every option: asked for in the form of a config, and every answer on the page of a conversation."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import OpenPage
from tests.browser.reading import flip, until_it_fits
from tests.browser.site import Site
from tests.browser.test_config_form import API, CONFIGS, choose, copy_of, problems
from tests.journeys.configs import EVERY_OPTION, GREETING, snapshot

Picture = Callable[[Page, str], None]
RUN = "run-of-judges"


def test_every_option_of_the_judges_is_written_in_the_form(
    site: Site, open_page: OpenPage, picture: Picture
) -> None:
    plain = site.send("GET", "/api/v1/prompt-sets/plain")["body"]
    examples = [GREETING.model_dump(mode="json")]
    site.send(
        "POST", "/api/v1/prompt-sets", {**plain, "name": "with-examples", "examples": examples}
    )
    copy_of(site, "many-judges", prompt_set="with-examples")
    page = open_page(f"{site.url}{CONFIGS}/many-judges/edit", height=1600)
    page.get_by_label("Samples of each judge").fill("3")
    page.get_by_label("Reducer").select_option("majority")
    page.get_by_label("Recheck share").fill("0.25")
    flip(page.get_by_role("switch", name="Reuse earlier verdicts"))
    page.get_by_role("button", name="Add a judge").click()
    second = page.get_by_role("group", name=re.compile("^judge 2"))
    choose(second.get_by_role("combobox", name="Model"), "writer")
    flip(page.get_by_role("switch", name="Compare with an example"))
    choose(page.get_by_role("combobox", name="Example"), "greeting")
    page.get_by_label("Worse in both orders").select_option("reject")
    expect(problems(page)).to_contain_text("kind to itself")
    page.get_by_role("group", name="Samples").scroll_into_view_if_needed()
    picture(page, "judge-options")
    assert violations(page) == []
    page.get_by_role("button", name="Save version 2").click()
    expect(page).to_have_url(f"{site.url}{CONFIGS}/many-judges")
    asked = page.get_by_text("3 samples, majority; with fake/writer")
    expect(asked).to_be_visible()

    judge = site.send("GET", f"{API}/many-judges")["body"]["judge"]
    assert (judge["samples"], judge["reducer"], judge["recheck_share"]) == (3, "majority", 0.25)
    assert (judge["cache"], judge["panel"][0]["model"]) == (True, "writer")
    assert judge["comparison"] == {"example": "greeting", "question": "", "worse": "reject"}


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_every_answer_stands_on_the_page_of_its_conversation(
    site: Site, open_page: OpenPage, picture: Picture, theme: str, width: int
) -> None:
    if not any(run["run"] == RUN for run in site.runs()):
        options = {**EVERY_OPTION, "threshold": 1.2, "recheck_share": 1}
        frozen = snapshot(4, threads=4, near_duplicate=None, judging=options)
        site.loop.run(site.pipeline.start(RUN, frozen))
    assert site.until(RUN, "completed")["failed"] == 0
    rows = site.loop.run(
        site.pipeline.all("select conversation from judgement where purpose = 'comparison' limit 1")
    )
    page = open_page(f"{site.url}/corpus/{rows[0]['conversation']}", theme=theme, width=width)
    answers = page.get_by_role("table").filter(has_text="recheck, not counted")
    expect(answers).to_contain_text("sample 1")
    expect(answers).to_contain_text("comparison, example first")
    expect(answers).to_contain_text("fake/writer")
    expect(page.locator(".tally")).to_contain_text("planned samples scored")
    answers.scroll_into_view_if_needed()
    picture(page, f"judgements-{theme}-{width}")
    until_it_fits(page, width)

    page.goto(f"{site.url}/runs/{RUN}")
    compared = page.get_by_role("region", name="Comparison")
    expect(compared).to_contain_text("with the example greeting, in both orders: of")
    expect(compared).to_contain_text("undecided by order")
    compared.scroll_into_view_if_needed()
    picture(page, f"run-comparison-{theme}-{width}")
    assert violations(page) == []
