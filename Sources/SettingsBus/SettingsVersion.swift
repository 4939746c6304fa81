/// The version of the daemon, the command line and the client library: the one place that says it.
public enum SettingsVersion {
    public static let current = "0.1.0"
}
