let question: string | null = null;

/** What is asked before the page gives way to another one of the console; null: nothing. The browser asks by itself before it goes elsewhere. */
export const askBeforeLeaving = (text: string | null): void => void (question = text);

export const mayLeave = (): boolean => question === null || window.confirm(question);
