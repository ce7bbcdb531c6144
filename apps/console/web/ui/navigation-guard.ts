let question: string | null = null;

/** The question before navigation within the console; null: no question. The browser asks before it leaves the console. */
export const askBeforeLeaving = (text: string | null): void => void (question = text);

export const mayLeave = (): boolean => question === null || window.confirm(question);
