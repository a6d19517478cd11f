/** Pages that are loaded when they are gone to. One that cannot be loaded waits for the gateway, and is loaded anew then. */
import { Stack } from "@mantine/core";
import { lazyRouteComponent } from "@tanstack/react-router";
import { useEffect } from "react";
import { Failure } from "../api";
import { Failed } from "../parts/states";
import { PageTitle } from "./PageTitle";
import { mayReload } from "./reloads";

const ASK_MS = 2_000;
const KEPT_AS = "convo-reloaded";

/**
 * A page of a module.
 *
 * Its files are away where the gateway is, or where convo was renewed while this was open. Left to itself the router reloads
 * at once, and where nobody answers nothing is left but the browser's own error.
 */
export function lazyPage<Module extends object>(load: () => Promise<Module>, name: keyof Module) {
  return lazyRouteComponent<Module, keyof Module>(
    () => load().catch(() => ({ [name]: Unloaded }) as Module),
    name,
  );
}

function Unloaded() {
  useEffect(() => {
    void reloadWhenAnswered();
    const timer = setInterval(() => void reloadWhenAnswered(), ASK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Stack>
      <PageTitle title="This page is not loaded" />
      <Failed error={NOT_LOADED} what="Page" />
    </Stack>
  );
}

const NOT_LOADED = new Failure({
  type: "urn:convo:problem:no-answer",
  title: "convo does not answer",
  status: 0,
  detail: "The gateway cannot be reached. As soon as it answers, the page loads by itself.",
});

async function reloadWhenAnswered(): Promise<void> {
  if (!mayReload(sessionStorage.getItem(KEPT_AS), Date.now())) return;
  const answer = await fetch("/healthz").catch(() => undefined);
  if (!answer?.ok) return;
  sessionStorage.setItem(KEPT_AS, String(Date.now()));
  location.reload();
}
