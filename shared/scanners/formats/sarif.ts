import * as z from 'zod';
import { boundedList } from '../../api/schemas/scan-report.ts';
import { listImageSubjects, type Subject } from '../../domain/vulnerabilities/subject.ts';
import type { Finding } from '../../domain/vulnerabilities/vulnerability.ts';
import { checkBounds, listTools, parseReport, refuse } from './checked.ts';
import type { ReportFormat } from './report-format.ts';
import {
  findSecuritySeverity,
  type RuleResults,
  readResults,
  SarifResult,
  SarifRule,
} from './sarif-result.ts';

const title = 'a SARIF log';

/** Tool name for a log without runs. */
const unnamedTool = 'sarif';

const Rules = boundedList(SarifRule).nullish();

const Names = boundedList(z.string()).nullish();

const Run = z.object({
  tool: z.object({
    driver: z.object({ name: z.string(), rules: Rules }),
    extensions: boundedList(z.object({ rules: Rules })).nullish(),
  }),
  invocations: boundedList(z.object({ executionSuccessful: z.boolean().nullish() })).nullish(),
  /** Image properties in Trivy's logs. */
  properties: z
    .object({ imageName: z.string().nullish(), repoTags: Names, repoDigests: Names })
    .nullish()
    .catch(null),
  // A run without `results` did not start.
  results: boundedList(SarifResult),
});
type Run = z.infer<typeof Run>;

const Report = z.object({
  version: z.literal('2.1.0', { error: 'must be 2.1.0' }),
  runs: boundedList(Run),
});

const listRules = ({ tool }: Run): SarifRule[] =>
  [tool.driver, ...(tool.extensions ?? [])].flatMap(({ rules }) => rules ?? []);

/** Returns a function that finds the rule of a result: by id, or else by its index in the tool component. */
const ruleFinder = (run: Run): ((result: SarifResult) => SarifRule | undefined) => {
  const byId = new Map(listRules(run).map((rule) => [rule.id, rule]));
  const { driver, extensions } = run.tool;
  return ({ rule, ruleId, ruleIndex }) => {
    const component = extensions?.[rule?.toolComponent?.index ?? -1] ?? driver;
    const named = byId.get(ruleId ?? rule?.id ?? '');
    return named ?? component.rules?.[rule?.index ?? ruleIndex ?? -1];
  };
};

const groupResults = (run: Run): RuleResults[] => {
  const findRule = ruleFinder(run);
  const groups = new Map<SarifRule | string, SarifResult[]>();
  for (const result of run.results) {
    const key = findRule(result) ?? (result.ruleId || result.rule?.id || '');
    const group = groups.get(key);
    if (group) group.push(result);
    else groups.set(key, [result]);
  }
  return [...groups].map(([key, results]) => ({
    rule: typeof key === 'string' ? { id: key } : key,
    results,
  }));
};

const readRun = (run: Run): Finding[] => {
  const { name } = run.tool.driver;
  return groupResults(run).flatMap((ruled) => {
    if (ruled.rule.id.trim() === '') throw refuse(title, 'a result has no rule');
    return readResults(ruled, name);
  });
};

const listSubjects = ({ properties }: Run): Subject[] =>
  listImageSubjects(properties?.imageName, [
    ...(properties?.repoTags ?? []),
    ...(properties?.repoDigests ?? []),
  ]);

const ratesSecurity = (run: Run): boolean =>
  [...listRules(run), ...run.results].some((rated) => findSecuritySeverity(rated) !== undefined);

const checkRan = (runs: readonly Run[]): void => {
  for (const { invocations } of runs) {
    if (invocations?.some(({ executionSuccessful }) => executionSuccessful === false)) {
      throw refuse(title, 'the scan failed according to the report; scan again');
    }
  }
  if (!runs.some(ratesSecurity)) {
    throw refuse(
      title,
      "none of its rules has a security-severity, so vulnerabilities cannot be distinguished from other results; send the scanner's own JSON",
    );
  }
};

/**
 * Format of SARIF logs with vulnerabilities, by GitHub's convention. Results of other rules, such as style rules, are
 * ignored.
 */
export const sarif: ReportFormat = {
  title: 'SARIF 2.1.0 with security-severity',
  tools: [unnamedTool],
  namesTools: true,
  recognises: ({ runs, $schema }) =>
    runs !== undefined || (typeof $schema === 'string' && /sarif/i.test($schema)),
  read: (body) => {
    const { runs } = parseReport(title, Report, body);
    checkRan(runs);
    checkBounds(
      title,
      runs.flatMap(({ results }) => results),
    );
    const tools = listTools(
      title,
      runs.map(({ tool }) => tool.driver.name),
    );
    return {
      tools: tools.length > 0 ? tools : [unnamedTool],
      subjects: runs.flatMap(listSubjects),
      findings: runs.flatMap(readRun),
    };
  },
};
