// The kinds of panels to choose from, each with its icon, its name and what it is for.
interface Kind {
  readonly type: string;
  readonly name: string;
  readonly about: string;
  readonly icon: string;
}

interface KindButtonsProps<Offered extends Kind> {
  readonly kinds: readonly Offered[];
  readonly class: string;
  onChoose(kind: Offered): void;
}

export function KindButtons<Offered extends Kind>({ kinds, class: look, onChoose }: KindButtonsProps<Offered>) {
  return (
    <div class={look}>
      {kinds.map((kind) => (
        <button key={kind.type} type="button" class="kind" onClick={() => onChoose(kind)}>
          <svg class="icon" viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
            <path d={kind.icon} />
          </svg>
          <strong>{kind.name}</strong>
          <span>{kind.about}</span>
        </button>
      ))}
    </div>
  );
}
