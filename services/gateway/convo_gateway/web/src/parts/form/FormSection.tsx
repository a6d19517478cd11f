import { Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A part of a long form; the index beside the form leads to its heading. */
export function FormSection(props: {
  id: string;
  title: string;
  hint?: ReactNode;
  beside?: ReactNode;
  children: ReactNode;
}) {
  const { id, title, hint, beside, children } = props;
  return (
    <section className="form-section" aria-labelledby={id}>
      <header>
        <Title order={2} size="h4" id={id} tabIndex={-1}>
          {title}
        </Title>
        {beside}
      </header>
      {hint && <p className="hint">{hint}</p>}
      {children}
    </section>
  );
}
