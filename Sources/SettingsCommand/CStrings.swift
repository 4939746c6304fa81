internal import Glibc

/// Texts as C wants a list of arguments: pointers to them, and a null pointer at the end. They live as long as this.
@safe final class CStrings {
    /// The pointers; who gets them may put them in another order, in a copy.
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ texts: [String]) {
        unsafe pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
    }

    deinit {
        for index in unsafe pointers.indices { unsafe free(pointers[index]) }
    }
}
