import "./source.js";

export * from "./api.js";
