export * from "intl-messageformat";
