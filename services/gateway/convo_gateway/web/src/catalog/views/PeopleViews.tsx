/** How a persona and a voice read. */
import type { Persona, Voice } from "../../api";
import { Plain } from "../../parts/Plain";
import { Section } from "../../parts/Section";
import { Facts } from "./facts";

export function PersonaView({ of }: { of: Persona }) {
  const traits = of.traits ?? [];
  return (
    <Section title="Who they are">
      <p className="prose" dir="auto">
        <Plain text={of.summary} />
      </p>
      <Facts facts={[["Language", of.language ?? "en"]]} />
      {traits.length > 0 && (
        <>
          <h3 className="minor">Traits</h3>
          <ul className="prose">
            {traits.map((trait) => (
              <li key={trait} dir="auto">
                <Plain text={trait} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

export function VoiceView({ of }: { of: Voice }) {
  return (
    <Section title="How they write">
      <p className="prose" dir="auto">
        <Plain text={of.style} />
      </p>
    </Section>
  );
}
