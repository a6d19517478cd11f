import {
  Alert,
  Button,
  Checkbox,
  CloseButton,
  Group,
  Paper,
  TextInput,
  Title,
} from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Eye, Play, TriangleAlert } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { type EstimateAnswer, failureOf } from "../api";
import { plainer } from "../catalog/errors";
import { absolute, money, relative } from "../format";
import { dollars } from "../parts/dollars";
import { Failed } from "../parts/states";
import { ConfigSelect } from "./ConfigSelect";
import { EstimateBlock } from "./EstimateBlock";
import { ImportSelect } from "./ImportSelect";
import { NoImportConfig } from "./NoImportConfig";
import {
  type Choice,
  NOTHING,
  offeredFor,
  refusedFor,
  startOf,
  type Threshold,
  targetHint,
  toConfirm,
  wholeNumber,
} from "./start";
import { useReadyImports } from "./useReadyImports";
import { useConfigs, useEstimate, useStart } from "./useStart";

const WARNING = "#b54708";
const NO_NUMBER = "A whole number, such as 200";
const NO_AMOUNT = "An amount in US dollars, such as 25";

interface Props {
  /** The config that is chosen already. */
  config?: string | undefined;
  /** The import that is chosen already: only configs that read one are offered. */
  source?: string | undefined;
  onClose: () => void;
}

/** Starts a run, after showing what it would cost. */
export function StartForm({ config: first = "", source = "", onClose }: Props) {
  const [choice, setChoice] = useState<Choice>({ ...NOTHING, config: first, source });
  const [warned, setWarned] = useState<Threshold>();
  const [tried, setTried] = useState(false);
  const [key, setKey] = useState(() => crypto.randomUUID());
  const sending = useRef(false); // the second click of a double click comes before anything is drawn anew
  const configs = useConfigs();
  const offered = offeredFor(configs.data ?? [], source);
  const config = configs.data?.find(({ name }) => name === choice.config);
  const reads = config ? config.mode === "import" : source !== "";
  const imports = useReadyImports(reads, source);
  const chosen = imports.data?.find(({ id }) => id === choice.source);
  const estimate = useEstimate(choice, config?.mode, !configs.isPending);
  const start = useStart();
  const failure = start.error ? failureOf(start.error) : undefined;

  const change = (part: Partial<Choice>) => {
    setChoice((before) => ({ ...before, ...part }));
    setWarned(undefined);
    setTried(false);
    setKey(crypto.randomUUID());
    start.reset();
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (sending.current) return;
    setTried(true);
    const body = startOf(choice, config?.mode, warned && (warned.estimateMicro ?? 0));
    if (body === undefined) return;
    const needed = warned ? undefined : toConfirm(estimate.answer);
    if (needed) return setWarned(needed);
    sending.current = true;
    start.mutate(
      { body, key },
      {
        onSettled: () => {
          sending.current = false;
        },
        onError: (error) => {
          const refused = refusedFor(failureOf(error));
          if (refused === undefined) return;
          setWarned(refused);
          setKey(crypto.randomUUID());
        },
      },
    );
  };

  const only = source !== "" && offered.length === 1 ? offered[0]?.name : undefined;
  useEffect(() => {
    if (only) setChoice((before) => (before.config ? before : { ...before, config: only }));
  }, [only]);

  const doubt = estimate.error ? failureOf(estimate.error) : undefined;
  const said = (field: string) => {
    const detail = failure?.at(field) ?? doubt?.at(field);
    return detail && plainer(detail);
  };
  const numberError = (text: string, field: string) =>
    wholeNumber(text) === undefined ? NO_NUMBER : said(field);
  const elsewhere =
    failure && !refusedFor(failure) && !FIELDS.some((field) => failure.at(field))
      ? failure
      : undefined;
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="start-title" className="start">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id="start-title">
          Start a run
        </Title>
        <CloseButton aria-label="Close the form" onClick={onClose} />
      </Group>
      <form onSubmit={submit} noValidate>
        <div className="start-fields">
          <ConfigSelect
            configs={offered}
            reads={reads}
            loading={configs.isPending}
            value={choice.config}
            error={tried && choice.config === "" ? "Choose a run config" : said("config")}
            onChange={(name) => change({ config: name })}
          />
          {reads && (
            <ImportSelect
              imports={imports.data ?? []}
              loading={imports.isPending}
              value={choice.source}
              error={tried && choice.source === "" ? "Choose an import" : said("import_source")}
              onChange={(id) => change({ source: id })}
            />
          )}
          <TextInput
            label="Target count"
            description={targetHint(config, chosen)}
            inputMode="numeric"
            placeholder={
              config ? String(Math.min(config.target, chosen?.taken ?? config.target)) : undefined
            }
            value={choice.target}
            error={numberError(choice.target, "target_count")}
            onChange={({ currentTarget }) => change({ target: currentTarget.value })}
          />
          <TextInput
            label="Run seed"
            description={
              config ? `${config.seed} in the config` : "The same seed draws the same plan"
            }
            inputMode="numeric"
            placeholder={config ? String(config.seed) : undefined}
            value={choice.seed}
            error={numberError(choice.seed, "seed")}
            onChange={({ currentTarget }) => change({ seed: currentTarget.value })}
          />
          <TextInput
            label="Name (optional)"
            description="The config's name and the date"
            placeholder={config && `${config.name} ${new Date().toISOString().slice(0, 10)}`}
            maxLength={200}
            value={choice.name}
            error={said("name")}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <TextInput
            label="Spend cap (USD)"
            description={capHint(config)}
            inputMode="decimal"
            placeholder={config?.cap?.toString()}
            value={choice.cap}
            error={dollars(choice.cap) === undefined ? NO_AMOUNT : said("spend_cap_usd")}
            onChange={({ currentTarget }) => change({ cap: currentTarget.value })}
          />
        </div>
        {configs.error && (
          <Failed error={configs.error} what="Run configs" onRetry={() => void configs.refetch()} />
        )}
        {imports.error && (
          <Failed error={imports.error} what="Imports" onRetry={() => void imports.refetch()} />
        )}
        {source !== "" && configs.data && offered.length === 0 && <NoImportConfig />}
        {choice.config !== "" &&
          !(reads && choice.source === "") &&
          !FIELDS.some((field) => doubt?.at(field)) && (
            <EstimateBlock {...estimate} parts={reads ? READ : MADE} />
          )}
        <OffPeak
          answer={estimate.answer}
          checked={choice.offPeak}
          onChange={(offPeak) => change({ offPeak })}
        />
        {warned && <Warning {...warned} />}
        {elsewhere && <Failed error={elsewhere} what="The run was not started" />}
        <Group mt="md" gap="xs">
          <Button
            type="submit"
            color={warned ? WARNING : undefined}
            leftSection={<Play size={16} aria-hidden />}
            loading={start.isPending}
          >
            {warned ? "Start anyway" : "Start run"}
          </Button>
          {choice.config !== "" && !reads && <PreviewLink choice={choice} />}
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </form>
    </Paper>
  );
}

function capHint(config: { cap: number | null } | undefined): string {
  if (config === undefined) return "Most that the run may spend";
  return config.cap === null
    ? "None in the config: no cap"
    : `${money(config.cap * 1_000_000)} in the config`;
}

/** To what the plan holds, before anything is made. */
function PreviewLink({ choice }: { choice: Choice }) {
  const text = (typed: string) => wholeNumber(typed)?.toString();
  return (
    <Button
      variant="default"
      leftSection={<Eye size={16} aria-hidden />}
      renderRoot={(props) => (
        <Link
          to="/catalog/run-configs/$name/preview"
          params={{ name: choice.config }}
          search={{ count: text(choice.target), seed: text(choice.seed) }}
          {...props}
        />
      )}
    >
      Preview
    </Button>
  );
}

const MADE = ["generation", "judge", "memory", "roughen"] as const;
const READ = ["judge"] as const;
const FIELDS = ["config", "import_source", "target_count", "seed", "name", "spend_cap_usd"];

function Warning({ estimateMicro, thresholdMicro }: Threshold) {
  const estimate =
    estimateMicro === null
      ? "No estimate can be given, because a model has no price"
      : `The estimate is ${money(estimateMicro)}`;
  return (
    <Alert
      role="alert"
      color="orange"
      variant="outline"
      mt="md"
      icon={<TriangleAlert aria-hidden />}
    >
      {estimate}; “Confirm runs estimated above (USD)” of this config is {money(thresholdMicro)}.
      Nothing has been started yet.
    </Alert>
  );
}

function OffPeak(props: {
  answer: EstimateAnswer | undefined;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  const { answer, checked, onChange } = props;
  const offer = answer?.off_peak;
  if (!offer) return null;
  const local = offer.zone === "UTC" ? "" : `${offer.clock} ${offer.zone}, `;
  const when = offer.open_now
    ? "The window is open now."
    : `It opens ${relative(offer.at, Date.now())} (${local}${absolute(offer.at)}); the run waits queued until then.`;
  const after = offer.until
    ? ` Calls sent after ${absolute(offer.until)} cost what they cost then: all of them, ${money(offer.later_micro)}.`
    : "";
  return (
    <Checkbox
      mt="md"
      label="Start at next off-peak window"
      description={`${when} Estimate at that time: ${money(offer.total_micro)}.${after}`}
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}
