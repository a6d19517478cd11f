import { Alert, Stack } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Lightbulb } from "lucide-react";
import { type FormEvent, useRef } from "react";
import { Failed } from "../../parts/states";
import { PageTitle } from "../../shell/PageTitle";
import "../../run/run.css";
import "../catalog.css";
import "./editor.css";
import { ErrorSummary } from "../fields/ErrorSummary";
import { FormProvider } from "../fields/form";
import { type Kind, WORDS } from "../kinds";
import type { Item } from "../objects";
import { BackendFields } from "./BackendFields";
import { ConflictDialog } from "./ConflictDialog";
import { FilterListFields } from "./FilterListFields";
import { LeaveGuard } from "./LeaveGuard";
import { PersonaFields } from "./PersonaFields";
import { PoolFields } from "./PoolFields";
import { PromptSetFields } from "./PromptSetFields";
import { SaveBar } from "./SaveBar";
import { schemaQuery } from "./schemaQuery";
import { useDraft } from "./useDraft";
import { VoiceFields } from "./VoiceFields";

interface Props {
  kind: Kind;
  /** What is edited; none for a new object. */
  base?: Item;
  start: Item["body"];
}

/** Writes an object: its fields, a note, and what the gateway says of them. */
export function Editor({ kind, base, start }: Props) {
  const draft = useDraft(kind, base, start);
  const schema = useQuery(schemaQuery(kind));
  const form = useRef<HTMLFormElement>(null);
  useHotkeys([["mod+S", () => form.current?.requestSubmit()]], [], true);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    draft.submit();
  };
  const title = base ? `Edit ${base.name}` : `New ${WORDS[kind].one}`;
  return (
    <Stack gap="md" className="catalog-editor">
      <PageTitle title={title} />
      <form ref={form} onSubmit={submit} noValidate aria-label={title}>
        <Stack gap="md">
          <ErrorSummary errors={draft.errors} />
          {draft.failure && <Failed error={draft.failure} what="Nothing was saved" />}
          {base?.archived && (
            <Alert variant="outline" icon={<Lightbulb aria-hidden />}>
              It is archived. Saving brings it back into the lists.
            </Alert>
          )}
          <FormProvider
            form={{
              value: draft.value,
              errors: draft.errors,
              schema: schema.data,
              set: draft.set,
            }}
          >
            <Fields kind={kind} isNew={base === undefined} />
          </FormProvider>
          <SaveBar kind={kind} base={draft.base} draft={draft} />
        </Stack>
      </form>
      {draft.conflict && (
        <ConflictDialog
          base={draft.conflict.base}
          mine={draft.value}
          theirs={draft.conflict.theirs}
          onChoose={draft.resolve}
          onClose={draft.dismiss}
        />
      )}
      <LeaveGuard dirty={draft.dirty} />
    </Stack>
  );
}

function Fields({ kind, isNew }: { kind: Kind; isNew: boolean }) {
  switch (kind) {
    case "prompt-sets":
      return <PromptSetFields isNew={isNew} />;
    case "personas":
      return <PersonaFields isNew={isNew} />;
    case "voices":
      return <VoiceFields isNew={isNew} />;
    case "pools":
      return <PoolFields isNew={isNew} />;
    case "filter-lists":
      return <FilterListFields isNew={isNew} />;
    case "backends":
      return <BackendFields isNew={isNew} />;
    case "run-configs":
      return null;
  }
}
