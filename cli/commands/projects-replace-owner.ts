import { Argument } from 'commander';
import { defineCommand } from '../framework/define-command.ts';
import { writeResult } from '../output/result.ts';
import { formatCount, toOneLine } from '../output/text.ts';

/** The word for no owner. */
const nobody = 'none';

export const projectsReplaceOwner = defineCommand('replaceOwner', {
  name: 'projects replace-owner',
  examples: [
    'projects replace-owner ana@example.com former-employee-17',
    'projects replace-owner ana@example.com none',
  ],
  positionals: [
    new Argument('<owner>', 'the owner to replace, exactly as stored'),
    new Argument('<replacement>', `the new owner; ${nobody} for no owner`),
  ],
  flags: {
    owner: { hidden: true },
    replacement: { hidden: true },
    after: { hidden: true },
  },
  run: async ({ arguments: [owner = '', given = ''], session }) => {
    const { client, terminal, format } = session;
    const replacement = given === nobody ? null : given;
    let replaced = 0;
    let after: string | null = null;
    do {
      const answer = await client.replaceOwner({ body: { owner, replacement, after } });
      replaced += answer.replaced;
      after = answer.next;
    } while (after !== null);
    const result = { owner, replacement, replaced };
    if (format !== 'people') writeResult(result, terminal, { format });
    else {
      const projects = `${formatCount(replaced)} ${replaced === 1 ? 'project' : 'projects'}`;
      terminal.out.write(
        `${toOneLine(`Replaced the owner of ${projects}: ${owner} → ${given}.`)}\n`,
      );
    }
  },
});
