import { defineCommand } from '../../framework/define-command.ts';
import { columnsOption } from './columns.ts';
import { showList } from './show-list.ts';

export const list = defineCommand('listPackages', {
  name: 'list',
  aliases: ['ls'],
  examples: [
    'list -s pending',
    'list --search log4j --sort -submitted_at',
    'list -s approved --columns package,license,expires_at',
    'list --all --ecosystem npm --jsonl | grep MIT',
    'list --status pending --json',
  ],
  flags: { view: { hidden: true } },
  options: [columnsOption],
  run: (call) => showList(call),
});
