// Layouts that the server keeps for all who open its page: who may write saves, replaces and removes them.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Layout, layoutOf } from '../layout/layout.js';
import type { PageState } from '../state/page-state.js';
import { Icon } from '../widgets/icon.js';

interface Listed {
  readonly layouts: readonly { readonly name: string; readonly modified: string }[];
  readonly may_save: boolean;
}

/** What is asked before something of others is lost. */
interface Question {
  readonly sentence: string;
  readonly answer: string;
  act(): Promise<void>;
}

export interface ServerLayouts {
  readonly listed: Listed;
  readonly question: Question | undefined;
  /** Asks first when there is a layout of that name. */
  save(name: string): void;
  remove(name: string): void;
  /** The answer to the question. */
  answer(isYes: boolean): void;
}

const NONE: Listed = { layouts: [], may_save: false };

export function useServerLayouts(state: PageState): ServerLayouts {
  const { server } = state;
  const [listed, setListed] = useState(NONE);
  const [question, setQuestion] = useState<Question>();
  const list = async (): Promise<void> => setListed(await server.call<Listed>('layout/list'));
  useEffect(() => {
    if (server.has('layout/list')) void state.attempt(list);
  }, [server]);
  const change = (method: string, params: object, done: string): Promise<void> =>
    // The list is read also after a refusal: somebody else may have saved that name meanwhile.
    state.attempt(() => server.call(method, params).finally(list), done);
  const write = (name: string, replace: boolean): Promise<void> =>
    change('layout/save', { name, layout: state.layout.peek(), replace }, `saved as ${name}, on the server`);
  const save = (name: string): void => {
    if (!listed.layouts.some((one) => one.name === name)) return void write(name, false);
    const sentence = `The server has a layout ${name} already.`;
    setQuestion({ sentence, answer: 'Replace it', act: () => write(name, true) });
  };
  const remove = (name: string): void =>
    setQuestion({
      sentence: `Remove ${name} for everybody?`,
      answer: 'Remove it',
      act: () => change('layout/remove', { name }, `${name} is removed from the server`),
    });
  const answer = (isYes: boolean): void => {
    setQuestion(undefined);
    if (isYes) void question?.act();
  };
  return { listed, question, save, remove, answer };
}

interface Props {
  readonly state: PageState;
  readonly layouts: ServerLayouts;
  onShow(layout: Layout, sentence: string): void;
}

export function ServerLayoutList({ state, layouts: { listed, remove }, onShow }: Props) {
  if (listed.layouts.length === 0) return null;
  const open = async (name: string): Promise<void> => {
    const { layout } = await state.server.call<{ readonly layout: unknown }>('layout/get', { name });
    onShow(layoutOf(layout), `${name} is open`);
  };
  return (
    <>
      <h3>On the server, for everybody</h3>
      <ul class="files" aria-label="Layouts on the server">
        {listed.layouts.map(({ name, modified }) => (
          <li key={name} class="row">
            <button type="button" class="menu-item" onClick={() => void state.attempt(() => open(name))}>
              <span class="file-name">{name}</span>
              <span class="quiet">{new Date(modified).toLocaleString()}</span>
            </button>
            {listed.may_save && (
              <button
                type="button"
                class="button tiny quiet"
                aria-label={`Remove ${name} from the server`}
                title="Remove"
                onClick={() => remove(name)}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The question, with the focus on the answer that changes nothing. */
export function QuestionView({
  question,
  onAnswer,
}: {
  question: Question | undefined;
  onAnswer(isYes: boolean): void;
}) {
  const no = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => no.current?.focus(), [question]);
  if (!question) return null;
  return (
    <>
      <p id="layout-question">{question.sentence}</p>
      <div class="actions">
        <button
          type="button"
          class="button"
          aria-describedby="layout-question"
          ref={no}
          onClick={() => onAnswer(false)}
        >
          Leave it
        </button>
        <button type="button" class="button danger" onClick={() => onAnswer(true)}>
          {question.answer}
        </button>
      </div>
    </>
  );
}
