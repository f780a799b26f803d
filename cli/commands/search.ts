import { Argument } from 'commander';
import { defineCommand } from '../framework/define-command.ts';
import { flagDescriptions } from '../framework/flag-descriptions.ts';
import { columnsOption } from './list/columns.ts';
import { showList } from './list/show-list.ts';

/** `list --search`, for users who would rather type `search`. */
export const search = defineCommand('listPackages', {
  name: 'search',
  summary: 'List package versions by a part of their name',
  examples: ['search log4j', 'search left -s approved'],
  positionals: [new Argument('<text...>', flagDescriptions['search'])],
  flags: { search: { hidden: true }, view: { hidden: true } },
  options: [columnsOption],
  run: (call) => showList(call, { search: call.arguments.join(' ') }),
});
