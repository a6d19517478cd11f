import { NumberInput, Select, TextInput } from "@mantine/core";
import { failureOf } from "../../../api";
import { Plain } from "../../../parts/Plain";
import { Section } from "../../../parts/Section";
import {
  type Cast,
  type LineProblem,
  problemsOf,
  type Rendered,
  type Rendering,
} from "./draftRender";

interface Props {
  cast: Cast;
  personas: readonly string[];
  voices: readonly string[];
  modes: readonly string[];
  /** Pools that the segments draw from. */
  pools: readonly string[];
  rendering: Rendering | undefined;
  error: unknown;
  behind: boolean;
  onCast: (part: Partial<Cast>) => void;
}

/** What the models would be sent, with a chosen persona, voice, values and turn. */
export function RenderPanel(props: Props) {
  const { rendering, error, behind } = props;
  return (
    <Section
      title="As it would be sent"
      beside={
        <span className="minor" role="status">
          {behind ? "Catching up" : ""}
        </span>
      }
    >
      <CastFields {...props} />
      {error ? (
        <p className="bad" role="alert">
          {failureOf(error).message}
        </p>
      ) : (
        Object.entries(rendering?.segments ?? {}).map(([segment, of]) => (
          <RenderedSegment
            key={segment}
            segment={segment}
            of={of}
            problem={problemsOf(rendering, segment)[0]}
          />
        ))
      )}
    </Section>
  );
}

function CastFields({ cast, personas, voices, modes, pools, rendering, onCast }: Props) {
  return (
    <div className="cast">
      <Choice
        label="Persona"
        names={personas}
        value={cast.persona}
        onChange={(persona) => onCast({ persona })}
      />
      <Choice
        label="Voice"
        names={voices}
        value={cast.voice}
        onChange={(voice) => onCast({ voice })}
      />
      <Choice
        label="Mode"
        names={modes}
        value={cast.mode ?? modes[0]}
        onChange={(mode) => onCast({ mode })}
      />
      <Whole label="Turns" value={cast.turns} most={400} onChange={(turns) => onCast({ turns })} />
      <Whole
        label="Turn"
        value={cast.turn}
        most={cast.turns}
        onChange={(turn) => onCast({ turn })}
      />
      {pools.map((pool) => (
        <TextInput
          key={pool}
          size="xs"
          label={pool}
          dir="auto"
          placeholder={rendering?.pools[pool] ?? "drawn"}
          value={cast.values[pool] ?? ""}
          onChange={({ currentTarget }) =>
            onCast({ values: { ...cast.values, [pool]: currentTarget.value } })
          }
        />
      ))}
    </div>
  );
}

function Choice(props: {
  label: string;
  names: readonly string[];
  value: string | undefined;
  onChange: (name: string | undefined) => void;
}) {
  return (
    <Select
      size="xs"
      label={props.label}
      searchable
      limit={100}
      data={[...props.names]}
      placeholder="a made-up one"
      value={props.value ?? null}
      nothingFoundMessage="None of that name"
      onChange={(name) => props.onChange(name ?? undefined)}
    />
  );
}

function Whole(props: {
  label: string;
  value: number;
  most: number;
  onChange: (value: number) => void;
}) {
  return (
    <NumberInput
      size="xs"
      label={props.label}
      min={1}
      max={props.most}
      clampBehavior="strict"
      allowDecimal={false}
      value={props.value}
      onChange={(value) => typeof value === "number" && props.onChange(value)}
    />
  );
}

function RenderedSegment(props: {
  segment: string;
  of: Rendered;
  problem: LineProblem | undefined;
}) {
  const { segment, of, problem } = props;
  return (
    <details className="rendered" open={of.sent}>
      <summary>
        {segment} <span className="minor">{of.sent ? "sent" : "not sent for this turn"}</span>
      </summary>
      {problem ? (
        <p className="bad">
          {problem.line !== null && `Line ${problem.line}: `}
          <Plain text={problem.message} />
        </p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
        <pre tabIndex={0} dir="auto">
          <Plain text={of.text ?? ""} />
        </pre>
      )}
    </details>
  );
}
