import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { defineCommand } from '../framework/define-command.ts';
import { formatTable } from '../output/table.ts';
import { toOneLine } from '../output/text.ts';

export const dependencies = defineCommand('listDependencies', {
  name: 'dependencies',
  examples: ['dependencies axios@1.14.1', 'dependencies pypi:requests --json'],
  view: {
    formatAnswer: ({ ecosystem, name, version, dependencies: found, total, checked }, output) => {
      const title = toOneLine(formatPackage({ ecosystem, name, version }));
      if (found === null) return [`The upstream metadata of ${title} is not known yet.`];
      if (found.length === 0) return [`${title} has no mandatory dependencies.`];
      const rows = found.map(({ status, ...one }) => ({
        ...{ dependency: one.name, range: one.range },
        ...{ status: status.replaceAll('_', ' '), version: one.version },
      }));
      const notChecked = total - checked;
      return [
        output.style('bold', title),
        ...formatTable(rows, output),
        ...(notChecked > 0 ? [`${notChecked} of ${total} dependencies were not checked.`] : []),
      ];
    },
  },
});
