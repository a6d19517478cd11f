import { Button, CloseButton, Text } from "@mantine/core";
import { Plus } from "lucide-react";
import { useState } from "react";
import { type Kind, WORDS } from "../catalog/kinds";
import { count } from "../format";
import { useEditing, useField } from "../parts/form/context";
import { fieldId } from "../parts/form/focus";
import { textOf } from "../parts/form/numbers";
import { PickDialog } from "../parts/form/PickDialog";
import "./mix.css";
import { errorsOf, textAt } from "../parts/form/problems";

/** A list of names of the catalog, without weights. */
export function NamesEditor({ kind, at, hint }: { kind: Kind; at: string; hint: string }) {
  const { many } = WORDS[kind];
  const { value, error, set, id } = useField(at);
  const { problems, draft } = useEditing();
  const names = (Array.isArray(value) ? value : []).map(textOf);
  const [picking, setPicking] = useState(false);
  return (
    <fieldset className="mix plain" id={id} tabIndex={-1} aria-label={many}>
      <div className="mix-head">
        <h3>
          {many} <span className="minor">{count(names.length)}</span>
        </h3>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => setPicking(true)}
        >
          Add {many.toLowerCase()}
        </Button>
      </div>
      <p className="hint">{hint}</p>
      {error && (
        <Text size="sm" className="field-error">
          {error}
        </Text>
      )}
      <ul className="name-chips">
        {names.map((name, row) => {
          const wrong = textAt(errorsOf(problems), `${at}/${row}`);
          return (
            <li key={name} id={fieldId(`${at}/${row}`)} data-wrong={wrong ? true : undefined}>
              <a
                href={`/catalog/${kind}/${encodeURIComponent(name)}`}
                target="_blank"
                rel="noreferrer"
              >
                {name}
              </a>
              {wrong && <span className="field-error">{wrong}</span>}
              <CloseButton
                size="xs"
                aria-label={`Remove ${name}`}
                onClick={() => draft.set(`${at}/${row}`, undefined)}
              />
            </li>
          );
        })}
      </ul>
      {picking && (
        <PickDialog
          kind={kind}
          taken={new Set(names)}
          onAdd={(added) => set([...names, ...added])}
          onClose={() => setPicking(false)}
        />
      )}
    </fieldset>
  );
}
