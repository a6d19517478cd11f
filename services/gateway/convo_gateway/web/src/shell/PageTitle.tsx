import { Group, Title } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { Plain } from "../parts/Plain";

interface Props {
  title: string;
  /** What stands beside the heading, such as a status. */
  beside?: ReactNode;
  /** Buttons. */
  children?: ReactNode;
}

let visited = false;

/** The one heading of a page. It names the document, and takes the focus when one comes from another page. */
export function PageTitle({ title, beside, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} - convo`;
  }, [title]);
  // Before the page is seen: the focus never jumps away from where somebody has just put it.
  useLayoutEffect(() => {
    if (visited) heading.current?.focus({ preventScroll: true });
    visited = true;
  }, []);
  return (
    <Group justify="space-between" align="center" gap="sm" className="page-title">
      <Group gap="sm" align="center">
        <Title order={1} size="h2" ref={heading} tabIndex={-1}>
          <Plain text={title} />
        </Title>
        {beside}
      </Group>
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  );
}
