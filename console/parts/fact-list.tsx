import { Text } from './text.tsx';

/** The name of a fact, and its text; an empty text leaves the fact out. */
export type Fact = readonly [title: string, text: string];

/** A list of facts with their names. */
export const FactList = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts.flatMap(([title, text]) =>
      text === ''
        ? []
        : [
            <dt key={`${title} term`}>{title}</dt>,
            <dd key={title}>
              <Text text={text} />
            </dd>,
          ],
    )}
  </dl>
);
