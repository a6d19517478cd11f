import { Alert, SegmentedControl, Stack } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { Lightbulb } from "lucide-react";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { Failure } from "../api";
import { ConflictDialog } from "../catalog/editors/ConflictDialog";
import { LeaveGuard } from "../catalog/editors/LeaveGuard";
import type { Item } from "../catalog/objects";
import { plural } from "../format";
import { DraftProvider } from "../parts/form/context";
import { Draft } from "../parts/form/draft";
import { ProblemSummary } from "../parts/form/ProblemSummary";
import { errorsOf, type Problem } from "../parts/form/problems";
import { SectionIndex } from "../parts/form/SectionIndex";
import { Failed } from "../parts/states";
import { PageTitle } from "../shell/PageTitle";
import { type Body, has, type Kept, modeOf } from "./body";
import { ConfigFields } from "./ConfigFields";
import { LiveEstimate } from "./LiveEstimate";
import { nameOf } from "./names";
import { plain } from "./plain";
import { SaveBar } from "./SaveBar";
import { indexOf } from "./sections";
import { useCheck } from "./useCheck";
import { type Next, refusedFor, useSave } from "./useSave";
import { useTouched } from "./useTouched";
import { YamlView } from "./YamlView";
import "../parts/form/form.css";
import "./config.css";

interface Props {
  /** The version that is edited; none for a new config. */
  base?: Item;
  start: Body;
  view: "form" | "yaml";
  onView: (view: "form" | "yaml") => void;
}

/** A run config while it is written, with everything that is wrong with it and what it would cost beside it. */
export function ConfigForm({ base: first, start, view, onView }: Props) {
  const [draft] = useState(() => new Draft(start));
  const kept = useRef<Kept>(new Map());
  const { touch, says, showAll } = useTouched(first !== undefined);
  const { check, behind, error } = useCheck(draft);
  const save = useSave(draft, first, start);
  const { base, failure, conflict } = save;
  const refused = useRefused(draft, failure, base === undefined);
  const problems = useMemo(() => withRefused(check?.problems ?? [], refused), [check, refused]);
  useEffect(() => {
    if (refused.length === 0) return;
    notifications.show({
      color: "red",
      title: "Not saved",
      message: `${plural(refused.length, "problem")} to fix first`,
    });
    toProblems();
  }, [refused]);
  const mode = useSyncExternalStore(draft.subscribe, () => modeOf(draft.value));
  const hasJudge = useSyncExternalStore(draft.subscribe, () => has(draft.value, "judge"));
  const navigate = useNavigate();
  const submit = (note: string, next: Next) => {
    showAll();
    if (next !== "read" && errorsOf(problems).length > 0) return toProblems();
    save.submit(note, next);
  };
  useHotkeys([["mod+S", () => saveForm()?.requestSubmit()]], [], true);
  const leave = () =>
    base
      ? navigate({ to: "/catalog/$kind/$name", params: { kind: "run-configs", name: base.name } })
      : navigate({ to: "/catalog/$kind", params: { kind: "run-configs" } });
  return (
    <Stack gap="md" className="config-page">
      <PageTitle title={base ? `Edit ${base.name}` : "New run config"}>
        <SegmentedControl
          aria-label="Show as"
          value={view}
          onChange={(chosen) => onView(chosen === "yaml" ? "yaml" : "form")}
          data={[
            { value: "form", label: "Form" },
            { value: "yaml", label: "YAML" },
          ]}
        />
      </PageTitle>
      {base?.archived && (
        <Alert variant="outline" icon={<Lightbulb aria-hidden />}>
          It is archived. Saving brings it back into the lists.
        </Alert>
      )}
      <div className="config-columns">
        <SectionIndex entries={indexOf(mode, hasJudge)} problems={problems} />
        <aside className="config-aside" aria-label="Check">
          {error && !check && <Failed error={error} what="The check" />}
          {failure && refused.length === 0 && (
            <Failed error={failure} what="The config was not saved" />
          )}
          {check && <ProblemSummary problems={problems} behind={behind} nameOf={nameOf} />}
          <LiveEstimate
            estimate={check?.estimate}
            behind={behind}
            saved={base?.name}
            reads={mode === "import"}
          />
        </aside>
        <div className="config-main">
          {view === "yaml" ? (
            <YamlView draft={draft} />
          ) : (
            <DraftProvider draft={draft} problems={problems} says={says} touch={touch}>
              <ConfigFields isNew={base === undefined} kept={kept} />
            </DraftProvider>
          )}
          <SaveBar
            label={base ? `Save version ${base.version + 1}` : "Save run config"}
            saving={save.saving}
            previews={mode !== "import"}
            onSave={submit}
            onLeave={() => void leave()}
          />
        </div>
      </div>
      {conflict && (
        <ConflictDialog
          base={conflict.base}
          mine={draft.value}
          theirs={conflict.theirs}
          onChoose={save.resolve}
          onClose={save.dismiss}
        />
      )}
      <Guard draft={draft} isDirty={save.isDirty} />
    </Stack>
  );
}

function Guard({ draft, isDirty }: { draft: Draft; isDirty: () => boolean }) {
  const dirty = useSyncExternalStore(draft.subscribe, isDirty);
  return <LeaveGuard dirty={dirty} />;
}

function saveForm(): HTMLFormElement | undefined {
  const form = document.getElementById("save");
  return form instanceof HTMLFormElement ? form : undefined;
}

function toProblems(): void {
  const first = document.querySelector<HTMLElement>("#problems button");
  first?.scrollIntoView({ block: "center" });
  first?.focus({ preventScroll: true });
}

/** What the last save was refused for, until the draft changes. */
function useRefused(draft: Draft, failure: Failure | undefined, isNew: boolean): Problem[] {
  const [shown, setShown] = useState<Failure>();
  useEffect(() => {
    setShown(failure);
    return failure && draft.subscribe(() => setShown(undefined));
  }, [draft, failure]);
  return useMemo(() => refusedFor(shown, isNew), [shown, isNew]);
}

/** What the check says, and what the save was refused for besides. */
function withRefused(checked: readonly Problem[], refused: readonly Problem[]): Problem[] {
  const places = new Set(errorsOf(checked).map(({ pointer }) => pointer));
  const found = [...refused.filter(({ pointer }) => !places.has(pointer)), ...checked];
  return found.map((problem) => ({ ...problem, message: plain(problem.message) }));
}
