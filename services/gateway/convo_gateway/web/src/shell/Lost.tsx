import { Anchor, Stack, Text } from "@mantine/core";
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { Failure } from "../api";
import { Failed } from "../parts/states";
import { PageTitle } from "./PageTitle";

/** There is no such page. */
export function NotFound() {
  return (
    <Stack>
      <PageTitle title="There is no such page" />
      <Text>
        Nothing is at <code>{location.pathname}</code>. See the{" "}
        <Anchor component={Link} to="/runs" underline="always">
          runs
        </Anchor>
        .
      </Text>
    </Stack>
  );
}

/** A page broke. */
export function Broken({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  const failure =
    error instanceof Failure
      ? error
      : new Failure({
          type: "urn:convo:problem:page",
          title: "an error of the page itself",
          status: 500,
          detail: String(error),
        });
  return (
    <Stack>
      <PageTitle title="This page broke" />
      <Failed error={failure} what="Page" onRetry={again} />
    </Stack>
  );
}
