import { memo } from "react";
import type {
  BackendOutput,
  FilterList,
  Persona,
  Pool,
  PromptSet,
  RunConfig,
  Voice,
} from "../../api";
import type { Kind } from "../kinds";
import type { Item } from "../objects";
import { BackendView } from "./BackendView";
import { FilterListView, PoolView } from "./ListViews";
import { PersonaView, VoiceView } from "./PeopleViews";
import { PromptSetView } from "./PromptSetView";
import { RunConfigView } from "./RunConfigView";

/** How an object reads; the gateway gives bodies of the kind's shape only. */
export const ObjectView = memo(function ObjectView(props: { kind: Kind; body: Item["body"] }) {
  const body: unknown = props.body;
  switch (props.kind) {
    case "prompt-sets":
      return <PromptSetView of={body as PromptSet} />;
    case "personas":
      return <PersonaView of={body as Persona} />;
    case "voices":
      return <VoiceView of={body as Voice} />;
    case "pools":
      return <PoolView of={body as Pool} />;
    case "filter-lists":
      return <FilterListView of={body as FilterList} />;
    case "backends":
      return <BackendView of={body as BackendOutput} />;
    case "run-configs":
      return <RunConfigView of={body as RunConfig} />;
  }
});
