/** Whether the reader's main pointer is a finger, as on telephones and tablets without a mouse. */
export const isTouch = () => matchMedia("(hover: none) and (pointer: coarse)").matches;
