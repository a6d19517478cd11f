import { Switch } from "@mantine/core";
import type { ReactNode, RefObject } from "react";
import { isObject } from "../catalog/json";
import { useDerived, useEditing } from "../parts/form/context";
import { FormSection } from "../parts/form/FormSection";
import { fieldId } from "../parts/form/focus";
import { has, type Kept, modeOf, type OptionalPart, switched } from "./body";

/** A section that is switched on and off, together with its role. */
export function OptionalSection(props: {
  id: string;
  part: OptionalPart;
  title: string;
  off: string;
  hint: string;
  kept: RefObject<Kept>;
  children: ReactNode;
}) {
  const { id, part, title, off, hint, kept, children } = props;
  const { draft } = useEditing();
  const on = useDerived((body) => has(body, part));
  const mode = useDerived(modeOf);
  const impossible = part === "memory" && mode !== "sessions";
  return (
    <FormSection
      id={id}
      title={title}
      hint={on ? hint : impossible ? "Only mode sessions has personas that come back." : off}
      beside={
        <Switch
          id={on ? undefined : fieldId(`/${part}`)}
          label={on ? "On" : "Off"}
          aria-label={title}
          checked={on}
          disabled={impossible && !on}
          onChange={({ currentTarget: { checked } }) => {
            if (isObject(draft.value)) {
              draft.replace(switched(draft.value, part, checked, kept.current));
            }
          }}
        />
      }
    >
      {on && children}
    </FormSection>
  );
}
