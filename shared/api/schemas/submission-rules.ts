import { type Ecosystem, ecosystems } from '../../ecosystems/ecosystem.ts';
import { nameRules, versionRules } from '../../ecosystems/rules.ts';
import { type TextRule, unsafeInPath } from '../../ecosystems/text-rule.ts';
import { implies, type JsonSchema } from './json-schema.ts';

/** Returns the JSON Schema of a text rule. Named groups become plain groups, since not every language supports them. */
const describeText = ({ pattern, maxLength }: TextRule): JsonSchema => ({
  pattern: pattern.source.replace(/\(\?<\w+>/g, '(?:'),
  maxLength,
  not: { pattern: unsafeInPath.source },
});

const says = (field: string, ecosystem: Ecosystem): JsonSchema => ({
  properties: { [field]: { const: ecosystem } },
  required: [field],
});

/**
 * Returns the conditions for a submission whose `ecosystem` or `type` names an ecosystem. The other field must not name
 * another one, and name and version must follow the ecosystem's rules.
 */
const describeEcosystem = (ecosystem: Ecosystem): JsonSchema =>
  implies(
    { anyOf: [says('ecosystem', ecosystem), says('type', ecosystem)] },
    {
      properties: {
        ecosystem: { enum: [ecosystem, null] },
        type: { enum: [ecosystem, null] },
        name: describeText(nameRules[ecosystem]),
        version: describeText(versionRules[ecosystem]),
      },
    },
  );

const names = (field: string): JsonSchema => ({
  properties: { [field]: { type: 'string' } },
  required: [field],
});

/** Conditions between the fields of a submission, in JSON Schema. The refinements of `Submission` enforce them. */
export const submissionRules: readonly JsonSchema[] = [
  { anyOf: [names('ecosystem'), names('type')] },
  ...ecosystems.map(describeEcosystem),
];
