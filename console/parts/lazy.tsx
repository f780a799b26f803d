import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Loads the script of a component, whose default export it is. */
type Load<Props> = () => Promise<{ readonly default: ComponentType<Props> }>;

/** Returns a component that loads its script when it is shown first, so that the first view stays small. */
export const makeLazy = <Props extends object>(load: Load<Props>): ComponentType<Props> => {
  let loaded: ComponentType<Props> | undefined;
  const Lazy = (props: Props) => {
    const [Content, setContent] = useState<ComponentType<Props> | undefined>(() => loaded);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded) return undefined;
      let isGone = false;
      load().then(
        ({ default: found }) => {
          loaded = found;
          if (!isGone) setContent(() => found);
        },
        () => !isGone && setFailed(true),
      );
      return () => {
        isGone = true;
      };
    }, []);
    if (hasFailed) {
      return <p role="alert">This part could not be loaded. Reload the page to try again.</p>;
    }
    return Content ? <Content {...props} /> : <p class="muted">Loading …</p>;
  };
  return Lazy;
};
