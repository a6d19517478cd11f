import { Alert } from "@mantine/core";
import { KeyRound } from "lucide-react";
import { Section } from "../../parts/Section";
import { SelectField, SwitchField } from "../fields/choices";
import { NumberField } from "../fields/NumberField";
import { RowsField } from "../fields/RowsField";
import { TextField } from "../fields/TextField";
import { isObject } from "../json";
import { NameField } from "./NameField";
import { PriceFields } from "./PriceFields";
import { blankModel } from "./shapes";

const STRUCTURED = [
  { value: "json_schema", label: "JSON schema" },
  { value: "json_object", label: "JSON without a schema" },
  { value: "none", label: "Neither" },
];
const LIMITS = ["max_tokens", "max_completion_tokens"].map((value) => ({ value, label: value }));

export function BackendFields({ isNew }: { isNew: boolean }) {
  return (
    <>
      <Section title="The API">
        <div className="fields two">
          <NameField isNew={isNew} />
          <TextField
            at="/base_url"
            label="Base URL"
            required
            placeholder="https://api.example.com/v1"
          />
          <div className="whole">
            <TextField
              at="/key_env"
              label="Environment variable of the key"
              optional
              placeholder="OPENAI_API_KEY"
            />
            <Alert variant="outline" mt="xs" p="xs" icon={<KeyRound aria-hidden size={16} />}>
              Only the name of the variable is written here, never the key. The services read the
              key from their own environment when they call.
            </Alert>
          </div>
          <NumberField at="/timeout_s" label="Deadline of a call" unit="s" placeholder="120" />
          <SelectField
            at="/structured"
            label="Structured answers"
            choices={STRUCTURED}
            otherwise="json_schema"
          />
          <SelectField
            at="/token_limit_field"
            label="Name of the answer's limit"
            choices={LIMITS}
            otherwise="max_tokens"
          />
          <SwitchField at="/stream" label="Streamed answers" otherwise={false} />
        </div>
      </Section>
      <Section title="Models">
        <RowsField
          at="/models"
          one="model"
          make={blankModel}
          title={(model) => (isObject(model) ? String(model.name ?? "") : "")}
        >
          {(at) => (
            <div className="fields two">
              <TextField
                at={`${at}/name`}
                label="Model"
                required
                help="As the API calls it, such as gpt-4.1-mini."
              />
              <NumberField
                at={`${at}/max_concurrency`}
                label="Most calls at once"
                placeholder="32"
              />
              <NumberField
                at={`${at}/context_tokens`}
                label="Context"
                unit="tokens"
                placeholder="128000"
              />
              <div className="whole">
                <PriceFields
                  at={`${at}/prices`}
                  modelAt={`${at}/name`}
                  contextAt={`${at}/context_tokens`}
                />
              </div>
            </div>
          )}
        </RowsField>
      </Section>
    </>
  );
}
