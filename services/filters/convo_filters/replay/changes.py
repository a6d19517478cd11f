"""What other settings change, and so what has to be looked at again: nothing that did not change. Pure."""

from dataclasses import dataclass

from convo_events.catalog import RuleSetting
from convo_events.judging import Judging
from convo_events.replays import VerdictSettings
from convo_events.similarity import too_near
from convo_events.snapshot import Snapshot
from convo_filters.layers import RuleSet
from convo_filters.rules_catalog import rules as all_rules

READS_LISTS = frozenset({"banned_phrase"})
"""Rules that look for what the filter lists hold."""
_DEFAULT, _OFF = RuleSetting(), RuleSetting(enabled=False)


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit of layer 2 as it was and as it is tried; None is off."""

    was: float | None
    now: float | None

    @property
    def is_stricter(self) -> bool:
        """Whether it may catch what nobody looked for."""
        return self.now is not None and (self.was is None or self.now < self.was)

    def holds(self, similarity: float | None) -> bool:
        """Whether a recorded finding is still above the limit."""
        return self.now is not None and (similarity is None or too_near(similarity, self.now))


@dataclass(frozen=True, slots=True)
class Changes:
    """The way from a run's own settings to others."""

    off: frozenset[str]
    """Rules whose recorded findings no longer count."""
    again: frozenset[str]
    """Rules that look at the turns again; what they find stands in place of what is recorded."""
    near: Limit
    copies: Limit
    threshold: Limit
    judging: Judging | None
    """How the run's scores become one, with the threshold that is tried; None where there is no judge."""
    wanted: VerdictSettings

    @classmethod
    def between(
        cls, own: VerdictSettings, wanted: VerdictSettings, judging: Judging | None = None
    ) -> "Changes":
        """What differs.

        Args:
            own: Settings of the run.
            wanted: Settings that are tried.
            judging: Layer 3 of the run's config.
        """
        named = {*own.rules, *wanted.rules, *wanted.look_again}
        if own.filter_lists != wanted.filter_lists:
            named |= READS_LISTS
        off, again = set[str](), set[str]()
        for reason in named:
            before, after = own.rules.get(reason, _DEFAULT), wanted.rules.get(reason, _DEFAULT)
            lists = reason in READS_LISTS and own.filter_lists != wanted.filter_lists
            if not after.enabled:
                off.add(reason)
            elif before != after or lists or reason in wanted.look_again:
                again.add(reason)
        return cls(
            off=frozenset(off),
            again=frozenset(again),
            near=Limit(own.near_duplicate, wanted.near_duplicate),
            copies=Limit(own.example_copy, wanted.example_copy),
            threshold=Limit(own.threshold, wanted.threshold),
            judging=judging and judging.model_copy(update={"threshold": wanted.threshold}),
            wanted=wanted,
        )

    @property
    def judges_anew(self) -> bool:
        """Whether scores have to be held against another threshold."""
        return self.threshold.was != self.threshold.now

    @property
    def reads_samples(self) -> bool:
        """Whether one score does not say enough to hold it against another threshold."""
        judging = self.judging
        several = judging is not None and (judging.samples > 1 or bool(judging.panel))
        return several and self.judges_anew and self.threshold.now is not None

    @property
    def reads_turns(self) -> bool:
        """Whether what was said has to be read before anything can be decided."""
        return bool(self.again) or self.copies.is_stricter

    def rule_set(self, snapshot: Snapshot) -> RuleSet:
        """Just the rules that look again, as the wanted settings have them, on the frozen snapshot.

        Raises:
            Invalid: if the settings name a rule or a parameter that does not exist, or a pattern that is none.
        """
        rules = {
            rule.reason: self.wanted.rules.get(rule.reason, _DEFAULT)
            if rule.reason in self.again
            else _OFF
            for rule in all_rules()
        }
        unknown = {name: RuleSetting() for name in self.again - rules.keys()}
        config = snapshot.config.model_copy(update={"rules": rules | unknown})
        lists = self.wanted.filter_lists
        return RuleSet.of(snapshot.model_copy(update={"config": config, "filter_lists": lists}))
