let question: string | null = null;

/** Sets the question before navigation within the console; null: no question. The browser asks on other navigation. */
export const askBeforeLeaving = (text: string | null): void => void (question = text);

export const mayLeave = (): boolean => question === null || window.confirm(question);
