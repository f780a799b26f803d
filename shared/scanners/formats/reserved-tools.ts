import { refuseInvalid } from '../../domain/errors.ts';
import { cleanLine } from '../../domain/vulnerabilities/finding.ts';
import { limits } from '../../domain/vulnerabilities/scan-limits.ts';
import { ownTool } from '../../domain/vulnerabilities/scanned-ecosystems.ts';
import type { ReportFormat } from './report-format.ts';

/** Returns a tool name that is equal for similar spellings, such as `npm-audit` and `NPM Audit`. */
const foldTool = (name: string): string =>
  // Normalized as in storage, so that removed characters cannot hide a reserved name.
  cleanLine(name, limits.toolLength)
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-');

const refuseTool = (name: string, why: string): Error => {
  const shown = cleanLine(name, limits.toolLength);
  return refuseInvalid('body', `names the tool ${shown}, ${why}`, 'reserved_tool');
};

/** Checks that no report uses the name of the registry's own scanner. */
export const checkOwnTool = (names: readonly string[]): void => {
  for (const name of names) {
    if (foldTool(name) !== foldTool(ownTool)) continue;
    throw refuseTool(
      name,
      'which is reserved for the registry itself; name the scanner that found this',
    );
  }
};

/** Checks that manually written findings do not use the name of a tool whose reports are supported. */
export const checkFreeNames = (
  names: readonly string[],
  formats: readonly ReportFormat[],
): void => {
  const titles = new Map(
    formats.flatMap(({ title, tools }) => tools.map((tool) => [foldTool(tool), title] as const)),
  );
  for (const name of names) {
    const title = titles.get(foldTool(name));
    if (title)
      throw refuseTool(
        name,
        `whose reports are supported; send ${title}, or name the tool that found this`,
      );
  }
};
