import type { ComponentChildren } from 'preact';

interface SectionProps {
  readonly title: string;
  readonly id: string;
  readonly children: ComponentChildren;
}

/** A section of the evidence, with a title. */
export const Section = ({ title, id, children }: SectionProps) => (
  <section aria-labelledby={id}>
    <h3 id={id} tabIndex={-1}>
      {title}
    </h3>
    <div class="section-body">{children}</div>
  </section>
);
