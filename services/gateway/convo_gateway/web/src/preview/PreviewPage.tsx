import { Alert, Button, Group, List, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { PencilLine, Play } from "lucide-react";
import { type FormEvent, useCallback, useState } from "react";
import { failureOf, type Preview } from "../api";
import { plain } from "../config/plain";
import { count, plural } from "../format";
import { Plain } from "../parts/Plain";
import { Failed, Loading } from "../parts/states";
import { wholeNumber } from "../runs/start";
import { PageTitle } from "../shell/PageTitle";
import { PlanGrid } from "./PlanGrid";
import { PromptsPanel } from "./PromptsPanel";
import { Collisions, Lengths, Shares } from "./Shares";
import type { PreviewSearch } from "./search";
import { type PlanOf, usePlan } from "./usePlan";
import "./preview.css";

const PATH = "/catalog/run-configs/$name/preview";
const route = getRouteApi(PATH);
const TYPING_MS = 350;

/** What a config, a count and a seed come to, conversation by conversation, before anything is called. */
export function PreviewPage() {
  const { name } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate({ from: PATH });
  const change = useCallback(
    (part: PreviewSearch, replace = false) =>
      void navigate({ search: (before) => ({ ...before, ...part }), replace, resetScroll: false }),
    [navigate],
  );
  const plan = planOf(name, search);
  const { data, error, refetch, isPlaceholderData } = usePlan(plan);
  return (
    <Stack gap="md">
      <PageTitle title={`Seed preview of ${name}`}>
        <Button
          variant="default"
          leftSection={<PencilLine size={16} aria-hidden />}
          renderRoot={(props) => (
            <Link to="/catalog/run-configs/$name/edit" params={{ name }} {...props} />
          )}
        >
          Edit
        </Button>
        <Button
          leftSection={<Play size={16} aria-hidden />}
          renderRoot={(props) => <Link to="/runs" search={{ form: "open", of: name }} {...props} />}
        >
          Start run
        </Button>
      </PageTitle>
      <Text size="sm" c="dimmed">
        What a run will make, worked out from the seed alone. No model is called and nothing is
        spent here, unless you have a sample made.
      </Text>
      <Controls
        key={name}
        search={search}
        preview={data}
        error={error ? failureOf(error).at("target_count") : undefined}
        onChange={change}
      />
      {error && <Unstartable name={name} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="the plan" />}
      {data && !error && (
        <div aria-busy={isPlaceholderData} className="plan">
          <Warnings preview={data} />
          <PlanGrid
            plan={plan}
            total={data.population}
            sessions={data.mode === "sessions"}
            at={Math.min(Number(search.at ?? 0), data.population - 1)}
            onAt={(at) => change({ at: at === 0 ? undefined : String(at) }, true)}
            opened={search.index === undefined ? undefined : Number(search.index)}
            onOpen={(index) => change({ index: String(index) })}
          />
          <div className="plan-parts">
            <Shares preview={data} />
            <div className="plan-side">
              <Lengths preview={data} />
              <Collisions preview={data} />
            </div>
          </div>
        </div>
      )}
      {search.index !== undefined && data && Number(search.index) < data.population && (
        <PromptsPanel
          plan={plan}
          index={Number(search.index)}
          total={data.population}
          onGo={(index) => change({ index: String(index) }, true)}
          onClose={() => change({ index: undefined })}
        />
      )}
    </Stack>
  );
}

function planOf(config: string, { count: target, seed, version }: PreviewSearch): PlanOf {
  return {
    config,
    ...(version === undefined ? {} : { version: Number(version) }),
    ...(target === undefined ? {} : { target_count: Number(target) }),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  };
}

/** Count and seed of the plan, and the way to a conversation of it. */
function Controls(props: {
  search: PreviewSearch;
  preview: Preview | undefined;
  error: string | undefined;
  onChange: (part: PreviewSearch, replace?: boolean) => void;
}) {
  const { search, preview, error, onChange } = props;
  const [target, setTarget] = useState(search.count ?? "");
  const [seed, setSeed] = useState(search.seed ?? "");
  const [place, setPlace] = useState("");
  const tell = useDebouncedCallback((part: PreviewSearch) => onChange(part, true), TYPING_MS);
  const isNumber = (text: string) => wholeNumber(text) !== undefined;
  const said = (text: string) => wholeNumber(text)?.toString();
  const last = (preview?.population ?? 1) - 1;
  const jump = (event: FormEvent) => {
    event.preventDefault();
    const to = wholeNumber(place);
    if (to !== null && to !== undefined && to <= last) onChange({ at: String(to) });
  };
  const beyond = preview && (wholeNumber(place) ?? 0) > last;
  return (
    <Group gap="md" align="flex-start" className="plan-controls">
      <TextInput
        label="Count"
        inputMode="numeric"
        placeholder={
          preview && search.count === undefined ? String(preview.population) : "as in the config"
        }
        value={target}
        error={isNumber(target) ? error : "A whole number"}
        onChange={({ currentTarget: { value } }) => {
          setTarget(value);
          if (isNumber(value))
            tell({ count: said(value), seed: said(seed), at: undefined, index: undefined });
        }}
      />
      <TextInput
        label="Seed"
        inputMode="numeric"
        placeholder={
          preview && search.seed === undefined ? String(preview.seed) : "as in the config"
        }
        value={seed}
        error={isNumber(seed) ? undefined : "A whole number"}
        onChange={({ currentTarget: { value } }) => {
          setSeed(value);
          if (isNumber(value)) tell({ seed: said(value), count: said(target) });
        }}
      />
      <form onSubmit={jump} className="jump-form">
        <TextInput
          label="Go to number"
          inputMode="numeric"
          placeholder={`0 to ${count(last)}`}
          value={place}
          error={beyond || !isNumber(place) ? `0 to ${count(last)}` : undefined}
          onChange={({ currentTarget }) => setPlace(currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Go
        </Button>
      </form>
      {preview && (
        <Text size="sm" c="dimmed" role="status" className="plan-size">
          {plural(preview.population, "conversation")} in {plural(preview.threads, "thread")}, seed{" "}
          {preview.seed}
          {preview.config_version !== null && `, version ${preview.config_version}`}
        </Text>
      )}
    </Group>
  );
}

function Warnings({ preview: { warnings } }: { preview: Preview }) {
  if (warnings.length === 0) return null;
  return (
    <Alert color="yellow" variant="outline" title="Probably not meant" className="plan-warnings">
      <List size="sm">
        {warnings.map(({ pointer, message }) => (
          <List.Item key={`${pointer} ${message}`}>
            <Plain text={plain(message)} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** There is no plan, and why; what is wrong with the config is put right in its form. */
function Unstartable(props: { name: string; error: unknown; onRetry: () => void }) {
  const { name, error, onRetry } = props;
  const failure = failureOf(error);
  const wrong = failure.status === 422 ? (failure.problem.errors ?? []) : [];
  return (
    <>
      <Failed error={error} what="No plan" onRetry={onRetry} />
      {wrong.length > 0 && (
        <>
          <List size="sm">
            {wrong.slice(0, 50).map(({ pointer, detail }) => (
              <List.Item key={`${pointer} ${detail}`}>
                <code>{pointer}</code> <Plain text={detail} />
              </List.Item>
            ))}
          </List>
          <Group>
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link to="/catalog/run-configs/$name/edit" params={{ name }} {...props} />
              )}
            >
              Put it right
            </Button>
          </Group>
        </>
      )}
    </>
  );
}
